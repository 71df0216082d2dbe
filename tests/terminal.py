"""Plays at a pseudo-terminal: keys, signals, colours, locales. terminal.py PROGRAM [edit] [colours],
where these words say that the program is built with libedit, and with ncurses."""
import fcntl
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios

program = os.path.abspath(sys.argv[1])
work = tempfile.mkdtemp()
seed = '0' * 62 + 'ff'
PATIENCE = 600  # seconds until something hangs
COLOUR = re.compile(rb'\x1b\[[0-9;]*m')


class Terminal:
    """The program at a terminal of its own."""

    def __init__(self, *words, term='xterm-256color', locale='C.UTF-8', **more):
        self.shown = b''
        self.seen = 0
        self.process, self.file = pty.fork()
        if self.process == 0:
            os.environ.update(TERM=term, LC_ALL=locale, XDG_DATA_HOME=work, NO_COLOR='', **more)
            os.execv(program, [program, *words])
        self.resize(50, 100)

    def resize(self, rows, columns):
        fcntl.ioctl(self.file, termios.TIOCSWINSZ, struct.pack('4H', rows, columns, 0, 0))

    def read(self):
        """Reads what is there; false at the end."""
        if not select.select([self.file], [], [], PATIENCE)[0]:
            raise AssertionError(f'it hangs after {self.shown[-2000:]!r}')
        try:
            more = os.read(self.file, 65536)
        except OSError:
            more = b''
        self.shown += more
        return bool(more)

    def wait(self, text):
        """Waits until the terminal shows a text, after what was waited for before."""
        text = text.encode()
        while text not in self.shown[self.seen:]:
            assert self.read(), f'no {text!r} in {self.shown[self.seen:]!r}'
        self.seen = self.shown.index(text, self.seen) + len(text)

    def type(self, keys):
        os.write(self.file, keys.encode())

    def end(self):
        """Waits for the end; returns the exit status, or less than 0 for a signal."""
        while self.read():
            pass
        status = os.waitpid(self.process, 0)[1]
        os.close(self.file)
        return os.waitstatus_to_exitcode(status)


def game(name, *words):
    """Makes a record; returns its path."""
    path = f'{work}/{name}.record'
    with open(path, 'wb') as file:
        subprocess.run([program, 'new', '--seed', seed, *words], stdout=file, check=True)
    return path


def text_of(path):
    with open(path, encoding='utf-8') as file:
        return file.read()


def test_ctrl_c_says_how_to_go_on():
    path = f'{work}/new.record'
    t = Terminal('play', '--seed', seed, path)
    t.wait('Your move> ')
    t.type('A1\n\n')
    t.wait('round 2')
    t.wait('Your move> ')
    t.type('B1\x03')
    t.wait(f'The game is saved. Continue with: {program} play {path}')
    assert t.end() == -signal.SIGINT
    assert re.findall('^1 .*', text_of(path), re.M) == ['1 A1']


def test_ctrl_c_before_a_move():
    path = f'{work}/never.record'
    t = Terminal('play', path)
    t.wait('Your move> ')
    t.type('\x03')
    t.wait('Nobody has made a move, so there is no game to save.')
    assert t.end() == -signal.SIGINT
    assert not os.path.exists(path)


def test_ctrl_c_while_a_bot_thinks():
    path = game('thinks', '--game', 'metro', '--players', '2')
    with open(path, encoding='utf-8') as file:
        lines = file.read().replace('players 2\n', 'players 2\nbot 1 master\n')
    for _ in range(100):  # until we are faster than the bot
        with open(path, 'w', encoding='utf-8') as file:
            file.write(lines)
        t = Terminal('play', path)
        t.wait('is thinking...')
        t.type('\x03')
        t.wait('Continue with:')
        assert t.end() == -signal.SIGINT
        if text_of(path) == lines:
            return
    raise AssertionError('the bot moves after Ctrl-C')


def test_end_of_input_and_signals():
    for number in [None, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT]:
        t = Terminal('play', game('ended'))
        t.wait('Your move> ')
        if number:
            os.kill(t.process, number)
        else:
            t.type('\x04')
        t.wait('The game is saved. Continue with:')
        assert t.end() == (-number if number else 0)


def test_secret_is_wiped():
    t = Terminal('play', game('secret', '--game', 'metro', '--names', 'Ada,Grace'))
    t.wait('look away')
    t.type('\n')
    t.wait('Your tile')
    t.wait('Ada> ')
    t.type('\x03')
    assert t.end() == -signal.SIGINT
    wiped = t.shown.split(b'\x1b[2J')[-1]
    assert b'The game is saved' in wiped and b'Your tile' not in wiped


def test_secret_is_wiped_after_a_message():
    path = game('moved', '--game', 'metro', '--names', 'Ada,Grace')
    t = Terminal('play', path)
    t.wait('look away')
    t.type('\n')
    t.wait('Ada> ')
    os.remove(path)
    t.type('draw\n')
    t.wait('press Enter')
    t.type('\n')
    t.wait('was removed by another program')
    t.wait('in your hand stays')
    t.wait('Ada> ')
    t.type('a2\n')
    t.wait('press Enter')
    t.type('\n')
    t.wait('Grace is next')
    assert b'in your hand stays' not in t.shown.split(b'\x1b[2J')[-1]
    t.type('\x03')
    assert t.end() == -signal.SIGINT


def test_lines_can_be_edited():
    path = game('edited')
    t = Terminal('play', path)
    t.wait('Your move> ')
    t.type('where plaza\x01\x0bB2\x08\x7f1A2\x1b[D\x1b[D\x7f\x7f\x1b[C\x1b[C\n')
    t.wait('press Enter to confirm')
    t.type('\n')
    t.wait('round 2')
    assert '\n1 A2\n' in text_of(path)
    t.wait('Your move> ')
    t.type('where bridge\n')
    t.wait('@r4: East Bridge')
    t.wait('Your move> ')
    t.type('\x1b[A\n')  # the last line again
    t.wait('@r4: East Bridge')
    t.wait('Your move> ')
    t.type('quit\n')
    assert t.end() == 0


def test_nobody_gets_lines_of_others():
    path = game('history', '--players', '2', '--names', 'Ada,Grace')
    t = Terminal('play', path)
    t.wait('look away')
    t.type('\n')
    t.wait('Ada> ')
    t.type('where bridge\n')
    t.wait('East Bridge')
    t.wait('Ada> ')
    t.type('where bridge\x15A2\n')
    t.wait('press Enter')
    t.type('\n')
    t.wait('look away')
    t.type('\n')
    for keys in ['\x1b[A', '\x10', '\x19', '\x1b[A\x1b[A']:
        t.wait('Grace> ')
        t.type(f'{keys}\n')
        t.wait('Make an entry first.')
    t.wait('Grace> ')
    t.type('quit\n')
    assert t.end() == 0


def test_size_changes_in_a_line():
    path = game('sized')
    t = Terminal('play', path)
    t.wait('Your move> ')
    t.type('A')
    t.wait('A')
    for columns in [40, 20, 100, 80]:
        t.resize(30, columns)
        os.kill(t.process, signal.SIGWINCH)
    t.type('1\n\n')
    t.wait('round 2')
    assert '\n1 A1\n' in text_of(path)
    t.type('quit\n')
    assert t.end() == 0


def test_stopped_and_continued():
    t = Terminal('play', game('stopped'))
    t.wait('Your move> ')
    t.type('A1')
    t.wait('A1')
    t.type('\x1a')
    assert os.WIFSTOPPED(os.waitpid(t.process, os.WUNTRACED)[1])
    usual = termios.ICANON | termios.ECHO
    assert termios.tcgetattr(t.file)[3] & usual == usual
    os.kill(t.process, signal.SIGCONT)
    t.wait('Your move> ')
    t.wait('A1')
    t.type('\n\nquit\n')
    t.wait('round 2')
    assert t.end() == 0


def test_colours():
    for term, colours in [('vt100', 0), ('dumb', 0), ('no-such-terminal', 0), ('linux', 8),
                          ('xterm', 8), ('screen', 8), ('xterm-256color', 256),
                          ('screen-256color', 256)]:
        for kind in ['verplant', 'metro']:
            t = Terminal('play', game('colours', '--game', kind, '--players', '2'), term=term)
            t.wait('look away')
            t.type('\n')
            t.wait('1> ')
            t.type('quit\n')
            t.end()
            found = set(COLOUR.findall(t.shown)) - {b'\x1b[m', b'\x1b[0m'}
            many = [one for one in found if b';5;' in one]
            few = [one for one in found if re.search(rb';3[1-6][;m]', one)]
            wanted = {0: not found, 8: few and not many, 256: many or few}
            assert wanted[colours], (term, kind, found)
            assert term in ('dumb', 'no-such-terminal') or b'\x1b[' in t.shown
            assert term not in ('dumb', 'no-such-terminal') or b'\x1b' not in t.shown, term


def test_ascii():
    path = game('ascii', '--map', 'paris', '--players', '2', '--names', 'Ännchen,Łukasz “x”…')
    t = Terminal('play', path, locale='C')
    t.wait('Annchen is next')
    t.type('\n')
    for line in ['help', 'stations', 'where etoile', 'a', 'B1', '', '', 'sheet 1', 'quit']:
        t.wait('> ')
        t.type(f'{line}\n')
    assert t.end() == 0
    assert b'Lukasz "x"... is next' in t.shown and b'Etoile' in t.shown
    assert all(byte < 128 for byte in t.shown), re.findall(rb'.*[^\0-\x7f].*', t.shown)
    assert 'player 2 Łukasz “x”…' in text_of(path)


def test_ascii_of_commands():
    path = game('paris', '--map', 'paris')
    folder = f'{work}/arena'
    arena = ['arena', '--seats', 'greedy,random', '--games', '2', '--seed', '1']
    one = f'{folder}/0001.record'
    environment = {**os.environ, 'LC_ALL': 'C'}
    overview = subprocess.run([program, '--help'], capture_output=True, check=True).stdout
    commands = re.findall(r'^  ([a-z]+) ', overview.decode(), re.M)
    assert len(commands) > 18
    bad = f'{work}/bad.record'
    with open(bad, 'w', encoding='utf-8') as file:
        file.write('endstation-record 1\ngame verplant\nnonsense' + ' x' * 200 + ' é\n')
    for status, words in [
            (0, [*arena, '--map', 'paris', '--records', folder]), (0, [*arena, '--solo']),
            (0, ['replay', path]), (0, ['moves', path]), (0, ['verify', one]),
            (0, ['analyse', one]), (0, ['hindsight', '--play', one]), (0, ['maps']),
            (0, ['maps', '--check', '--games', '1', 'paris']), (0, ['stats', one]),
            (0, ['bench', '--games', '1']), (0, ['perft', '--depth', '1', path]), (1, ['replay', bad]),
            (0, ['--help']), *((0, [command, '--help']) for command in commands)]:
        got = subprocess.run([program, *words], capture_output=True, env=environment)
        shown = got.stdout + got.stderr
        assert got.returncode == status, (words, shown)
        assert all(byte < 128 for byte in shown), (words, re.findall(rb'.*[^\0-\x7f].*', shown))


failed = 0
needs = {'test_lines_can_be_edited': 'edit', 'test_stopped_and_continued': 'edit',
         'test_colours': 'colours'}
try:
    for name, test in list(globals().items()):
        if not name.startswith('test_') or (name in needs and needs[name] not in sys.argv[2:]):
            continue
        try:
            test()
        except AssertionError as error:
            failed = 1
            print(f'{name}: {error} (line {error.__traceback__.tb_next.tb_lineno})')
finally:
    shutil.rmtree(work)
sys.exit(failed)
