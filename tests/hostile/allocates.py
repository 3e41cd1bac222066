from common import linger

memory = []
for _ in range(100):
    try:
        memory.append(bytearray(b"x" * (100 << 20)))
    except MemoryError:
        break
print("LEAK memory", len(memory) * 100, "MiB", flush=True)
linger()
