import os
from common import MARK

number = 0
while True:
    number += 1
    try:
        os.makedirs(f"{MARK}-{number}/" + "d/" * 50)
    except OSError:
        pass
