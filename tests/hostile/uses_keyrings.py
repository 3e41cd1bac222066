from common import MARK, attempt, done, linger, system_call

SESSION, USER = -3 & 0xFFFFFFFFFFFFFFFF, -4 & 0xFFFFFFFFFFFFFFFF
KEYS = [b"user", MARK.encode(), b"hidden"]
attempt("key of the user", lambda: done(system_call("add_key", KEYS[0], KEYS[1], KEYS[2], 6, -4)))
attempt("key of the session", lambda: done(system_call("add_key", KEYS[0], KEYS[1], KEYS[2], 6, -3)))
attempt("ask for a key", lambda: done(system_call("request_key", KEYS[0], KEYS[1], None, 0)))
attempt("ring of keys", lambda: done(system_call("keyctl", 0, -4, 1)))
attempt("join a session", lambda: done(system_call("keyctl", 1, KEYS[1])))
linger()
