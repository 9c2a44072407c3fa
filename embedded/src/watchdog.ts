/**
 * A shell between us and PostgreSQL. It holds the reading end of a pipe from our process: when we
 * end in any way, even by kill -9, the pipe closes and PostgreSQL gets its order to stop (SIGINT:
 * disconnect everyone, write a checkpoint). On a full disk it would wait for ever for that checkpoint:
 * after 15 seconds it is made to stop, and recovers at the next start. It prints the server's process
 * id first.
 */
export const WATCHDOG = `
exec 3<&0
"$@" </dev/null 3<&- &
server=$!
echo "$server"
(
  read -r _ <&3
  kill -INT "$server" 2>/dev/null
  for second in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
    sleep 1
    kill -0 "$server" 2>/dev/null || exit
  done
  kill -QUIT "$server" 2>/dev/null
) &
watch=$!
trap 'kill -INT "$server" 2>/dev/null' INT TERM HUP
while :; do
  wait "$server"; status=$?
  kill -0 "$server" 2>/dev/null || break
done
kill "$watch" 2>/dev/null
exit "$status"
`;
