#!/bin/sh
# The server as browsers and hostile clients use it: serve.sh PROGRAM [sanitized].
. ./common.sh

# Bad command lines, and ports and addresses that cannot be used.
expect 2 serve --port
expect 2 serve --port 65536
expect 2 serve --port x
expect 2 serve page
expect 2 serve --open --no-open
has err 'cannot be combined'
expect 1 serve --port 0 --web "$work/nowhere"
has err "^endstation serve: $work/nowhere: No such file"
expect 1 serve --port 0 --address 192.0.2.1 # an address reserved for documentation
has err "^endstation serve: cannot listen on '192.0.2.1': "
expect 1 serve --port 0 --address 'no such name'
has err "^endstation serve: cannot resolve address 'no such name': "

if ! command -v node >/dev/null; then
    echo "this test needs node"
    exit 1
fi
node serve.mjs "$program" "$work" || failed=1
exit $failed
