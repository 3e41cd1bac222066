import os
import sys

# Starts itself again and again with all the arguments the system takes.
size = int(os.environ.get("SIZE", 1 << 17))
try:
    environment = {**os.environ, **{f"NAME{number}": "x" * 100_000 for number in range(size >> 17)}, "SIZE": str(size * 2)}
    os.execve(sys.executable, [sys.executable, *sys.argv[:4], *["y" * 100_000] * (size >> 18)], environment)
except OSError:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("NAME")}
    os.execve(sys.executable, [sys.executable, *sys.argv[:4]], {**environment, "SIZE": str(1 << 17)})
