"""What is to be shown: functions marked with `proof`, in the order in which they are written."""

PROOFS = []


def proof(words):
    """Marks a function that takes both systems and raises AssertionError if the words are not true."""

    def mark(function):
        PROOFS.append((words, function))
        return function

    return mark
