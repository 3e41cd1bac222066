import os
from common import linger

# The copy is its own; the original is not, whatever the way to it.
for place in (".", "/submission", "/proc/self/cwd", "/work", os.path.realpath(".")):
    for folder, _, names in os.walk(place):
        for name in names:
            path = os.path.join(folder, name)
            if place == "." and name == "changes_its_submission.py":
                continue
            for deed in (lambda: open(path, "a").write("# changed\n"), lambda: os.chmod(path, 0o777),
                         lambda: os.rename(path, path + ".old"), lambda: os.remove(path + ".old")):
                try:
                    deed()
                except OSError:
                    pass
linger()
