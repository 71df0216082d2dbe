#!/usr/bin/env python3
"""Sits down in a room of an Endstation server and plays random legal moves to the end.

    room.py http://localhost:8080 --code K7RM-2Q4X-9DHT  joins a room by its code
    room.py http://localhost:8080 --make 'game metro/players 2/bot 2 casual'     makes one

Needs nothing but Python 3 and the program `endstation` (or $ENDSTATION), which lists the legal moves
and checks the shuffle in the end. docs/protocol.md describes the messages.
"""
import argparse
import base64
import hashlib
import json
import os
import random
import secrets
import socket
import subprocess
import sys
import time
import urllib.parse
import urllib.request

ENDSTATION = os.environ.get('ENDSTATION', 'endstation')


class WebSocket:
    """As much of RFC 6455 as a client needs: text frames, pings, the end."""

    def __init__(self, url, path):
        address = urllib.parse.urlsplit(url)
        self.socket = socket.create_connection((address.hostname, address.port or 80))
        self.file = self.socket.makefile('rb')
        key = base64.b64encode(secrets.token_bytes(16)).decode()
        self.socket.sendall((f'GET {path} HTTP/1.1\r\nHost: {address.netloc}\r\n'
                             'Upgrade: websocket\r\nConnection: Upgrade\r\n'
                             f'Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n'
                             ).encode())
        if b' 101 ' not in self.file.readline():
            raise ConnectionError('no WebSocket here')
        while self.file.readline().strip():
            pass

    def frame(self, kind, data):
        size = (bytes([0x80 | len(data)]) if len(data) < 126 else
                b'\xfe' + len(data).to_bytes(2, 'big'))
        mask = secrets.token_bytes(4)
        masked = bytes(byte ^ mask[i % 4] for i, byte in enumerate(data))
        self.socket.sendall(bytes([0x80 | kind]) + size + mask + masked)

    def send(self, **message):
        self.frame(1, json.dumps(message).encode())

    def receive(self):
        """The next message; None at the end."""
        data = b''
        while True:
            head = self.file.read(2)
            if len(head) < 2:
                return None
            size = head[1] & 127
            if size > 125:
                size = int.from_bytes(self.file.read(2 if size == 126 else 8), 'big')
            part = self.file.read(size)
            if head[0] & 15 == 8:
                return None
            if head[0] & 15 == 9:
                self.frame(10, part)
            elif head[0] & 15 in (0, 1):
                data += part
                if head[0] & 128:
                    return json.loads(data)


def program(command, record, *options):
    return subprocess.run([ENDSTATION, command, *options, '-'], input=record, text=True,
                          capture_output=True, check=True).stdout


def post(url, path, **body):
    request = urllib.request.Request(url + path, json.dumps(body).encode(),
                                     {'Content-Type': 'application/json'})
    return json.load(urllib.request.urlopen(request))


def find_room(url, token, wish, code):
    lobby = WebSocket(url, '/ws/lobby')
    lobby.send(t='hello', v=1, token=token)
    if wish:
        lobby.send(t='make', key=secrets.token_hex(8), setup=wish.replace('/', '\n') + '\n')
    else:
        lobby.send(t='find', code=code)
    while (answer := lobby.receive())['t'] != 'ok':
        if answer['t'] == 'no':
            sys.exit(f'no room: {answer["code"]}')
    return answer['room'], answer.get('code', code)


def play(url, token, room, code):
    """Plays a game to the end; returns its record."""
    word = secrets.token_bytes(32)
    commit, view, asked = None, None, set()
    table = WebSocket(url, '/ws/' + room)
    table.send(t='hello', v=1, token=token, code=code)
    while (message := table.receive()) is not None:
        kind = message['t']
        if kind == 'no':
            sys.exit(f'refused: {message["code"]}')
        if kind == 'room':
            commit, seat, phase = commit or message['commit'], message['seat'], message['phase']
            if phase == 'waiting' and not seat and 'sit' not in asked:
                asked.add('sit')
                table.send(t='sit', key='sit', hash=hashlib.sha256(word).hexdigest())
            elif phase == 'waiting' and message['host'] and 'start' not in asked and \
                    all(other['kind'] != 'open' for other in message['seats']):
                asked.add('start')
                table.send(t='start', key='start')
            elif phase == 'words' and 'word' not in asked:
                asked.add('word')
                table.send(t='word', word=word.hex())
        elif kind in ('view', 'lines'):
            view = message.get('text') or view + ''.join(f'{line}\n' for line in message['lines'])
        elif kind == 'record':
            print(program('verify', message['text'], '--commit', commit), end='')
            return message['text']
        if kind in ('view', 'lines') and seat in message['due']:
            decision = view[view.index('\n\n') + 1:].count(f'\n{seat} ')
            moves = [move for move in program('moves', view).splitlines()
                     if move.startswith(f'{seat} ')]
            if moves and decision not in asked:
                asked.add(decision)
                time.sleep(0.1)  # at most 20 messages a second, and 100 a minute
                table.send(t='move', decision=decision, event=random.choice(moves))
    sys.exit('the server has gone')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('url')
    parser.add_argument('--code', default='')
    parser.add_argument('--make', metavar='SETUP')
    options = parser.parse_args()
    token = post(options.url, '/api/guest', name='Python', colour=5)['token']
    room, code = find_room(options.url, token, options.make, options.code)
    print(f'room {room} code {code}', flush=True)
    print(program('replay', play(options.url, token, room, code)), end='')


main()
