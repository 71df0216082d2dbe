"""The tour of README.md, line by line as it stands, by a new user in a fresh folder: tour.py PROGRAM.
A line that this test does not know how to run is an error."""
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

top = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
work = tempfile.mkdtemp()
environment = {**os.environ, 'HOME': f'{work}/home', 'XDG_DATA_HOME': '', 'LC_ALL': 'C.UTF-8'}
# Enter takes the device where there are several players; no marks, or no free ride.
KEYS = '\nA0\n\n@-\n\nd1\n\n' * 2
servers = []


def run(line, keys=''):
    return subprocess.run(['sh', '-c', line], cwd=work, env=environment, input=keys, text=True,
                          capture_output=True, timeout=300)


def serve(line):
    """Starts a server, at a free port, and waits until it says where it is."""
    line = re.sub(r' --port [0-9]+', '', line) + ' --port 0 --no-open'
    server = subprocess.Popen(['sh', '-c', f'exec {line}'], cwd=work, env=environment, text=True,
                              stdout=subprocess.PIPE)
    servers.append(server)
    return 'http://' in server.stdout.readline()


def stop():
    """Stops all servers; true if all end well."""
    good = True
    for server in servers:
        server.send_signal(signal.SIGTERM)
        good = server.wait() == 0 and good
    servers.clear()
    return good


def follow(line):
    """Runs a line of the tour; returns what is wrong with it, or nothing."""
    command = line.split()[1]
    if '--store postgres:' in line:  # whoever has no PostgreSQL is told so; the line is understood
        got = run(line + (' --no-open --port 0' if command == 'serve' else ''))
        return '' if got.returncode == 1 and got.stderr else f'{got.returncode}: {got.stderr}'
    if command == 'serve':
        if len(servers) == 1 and '--data' not in line:  # one server uses a folder
            stop()
        return '' if serve(line) else 'no address'
    if command in ('export', 'import') and '--records' not in line:
        assert stop()  # as the tour says
    if command == 'arena':  # not for an hour
        line = re.sub('--games 200', '--games 2', line)
        line += '' if '--games' in line else ' --games 2 --ms 5'
    elif command not in ('backup', 'check', 'export', 'manage', 'play', 'new', 'replay', 'moves',
                         'view', 'verify', 'analyse', 'stats', 'draw', 'print', 'maps',
                         'hindsight', 'perft', 'bench', 'engine'):
        return 'this test does not know the command'
    got = run(line, KEYS if command == 'play' else 'quit\n' if command == 'engine' else '')
    if got.returncode == 0 and (command == 'arena' or not got.stderr):
        return ''
    return f'status {got.returncode}: {got.stderr}'


failed = 0
try:
    os.makedirs(f'{work}/build')
    os.makedirs(f'{work}/home')
    os.symlink(os.path.abspath(sys.argv[1]), f'{work}/build/endstation')
    os.symlink(f'{top}/examples', f'{work}/examples')
    with open(f'{work}/my-bot', 'w', encoding='utf-8') as bot:  # the bot of one's own
        bot.write('#!/bin/sh\nexec "$ENDSTATION" engine\n')
    os.chmod(f'{work}/my-bot', 0o755)
    with open(f'{top}/README.md', encoding='utf-8') as file:
        tour = file.read().split('\n## A tour\n')[1].split('\n## ')[0]
    lines = [line for block in re.findall(r'^```\n(.*?)^```$', tour, re.M | re.S)
             for line in block.splitlines() if line]
    assert len(lines) > 40
    for line in lines:
        words = re.sub(r'\s+# .*', '', line)
        wrong = follow(words) if words.startswith('build/endstation ') else 'this is no command'
        if wrong:
            failed = 1
            print(f'{line}\n  {wrong}')
finally:
    stop()
    shutil.rmtree(work)
sys.exit(failed)
