"""What the hostile programs share."""

import json
import sys
import time

with open(sys.argv[1]) as file:
    TARGET = json.load(file)
MARK = TARGET["mark"]


def attempt(what, deed):
    """Does it, and says so if it worked."""
    try:
        got = deed()
    except BaseException as error:  # whatever stops it
        print("stopped:", what, type(error).__name__, error, flush=True)
        return None
    if got is not None and got is not False:
        print("LEAK", what, repr(got)[:200], flush=True)
    return got


def linger():
    """Stays as long as it is let."""
    while True:
        try:
            time.sleep(1000)
        except BaseException:
            pass
