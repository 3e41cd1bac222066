import os
from common import TARGET, attempt, linger

# The submission holds these links: handing them in must not open what they lead to.
for name in ("link_to_a_neighbour", "link_to_a_folder/poker.py", "link_to_the_root/etc/shadow", "link_up/verdicts/previous.json"):
    attempt(f"read {name}", lambda: open(name).read())
    try:
        with open(name, "w") as file:
            file.write("changed")
    except OSError as error:
        print("stopped:", name, error, flush=True)
attempt("list a link", lambda: os.listdir("link_to_a_folder"))
linger()
