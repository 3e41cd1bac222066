import os
from common import MARK, attempt, linger

for place in (".", os.environ["HOME"]):
    attempt(f"a terabyte in {place}", lambda: os.truncate(os.open(f"{place}/{MARK}", os.O_CREAT | os.O_RDWR), 1 << 40) is None)
linger()
