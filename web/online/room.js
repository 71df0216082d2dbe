/* The screen of a room. Before the start it shows seats, the invitation and chat; then the table,
 * as for any game, with a bar above it: who is here, whose turn it is, reactions, chat. */
import {announce, button, dialog, fill, h, icon, toast} from '../ui/dom.js';
import {infoOf} from '../games/faces.js';
import {hashOfWord, randomWord, tellCheck} from '../engine/shufflecheck.js';
import {loadEngine} from '../engine/engine.js';
import {gameOf, ruleTags, setupPicture} from './lobby.js';
import {once, usualLevel} from '../table/newgame.js';
import {Caller} from './notify.js';
import {Connection, fetchMap, newKey, rooms} from './connection.js';
import {refill} from '../ui/parts.js';
import {disc, ensureGuest, followGuest, linkField, loadStyle, refusal, remaining, roomLink,
    settingTags, stateLine, tellRefusal} from './people.js';
import {RoomSource} from './roomsource.js';
import {staying} from '../ui/stay.js';
import {sit} from '../table/table.js';
import {Talk} from './talk.js';
import {t, tn} from '../app/texts.js';
import {full, gameName, levelName, reason, tell} from '../ui/words.js';

const HURRY_MS = 15000; /* a clock with less than this is highlighted */
const MEANWHILE_MAX = 12; /* events listed after a break */

/* '#room=ID.CODE' */
function parse(parameter) {
    const [, id, code = ''] = /^([a-z0-9]{1,32})(?:\.([A-Za-z0-9-]{1,24}))?$/.exec(parameter) ?? [];
    return {id, code: code.toUpperCase().replaceAll('-', '')};
}

class Room {
    constructor(place, id, code) {
        this.place = place;
        this.id = id;
        this.code = code || rooms.get(id).code || '';
        this.endings = [];
        this.mode = ''; /* what is shown: waiting, table, message */
        this.news = []; /* facts of the log: what happened while this page was away */
        this.link = new Connection(id, {hello: () => ({
            ...this.code && {code: this.code}, ...this.source?.have})});
        this.source = new RoomSource(this.link, id, {code: this.code,
            changed: () => this.show(),
            meanwhile: (facts) => this.tellMeanwhile(facts),
            refused: (sentence) => toast(t('Your move wasn’t accepted. {reason}',
                {reason: reason(sentence)}), {warn: true}),
            failed: (error) => this.fail(error)});
        this.source.rematch = () => this.rematch();
        this.talk = new Talk(this.link, id, () => this.showBar());
        this.caller = new Caller(`#room=${id}`);
        this.state = stateLine(this.link, () => this.source.isSending);
        followGuest(this.link);
        this.link.on('state', () => this.follow());
        this.link.on('room', (info) => this.take(info));
        this.ticking = setInterval(() => this.tick(), 1000);
        fill(place, h('h1', {class: 'visually-hidden'}, t('Room')), this.state.element);
        this.follow();
    }

    /* The same in another language. */
    again() {
        const {mode} = this;
        this.talk.again();
        this.state.update();
        staying(this.place, () => {
            if (mode === 'waiting') {
                this.mode = this.invited = '';
                this.show();
            } else if (mode === 'table') {
                this.buildBar(this.parts.table, this.parts.drawer.hidden);
                this.leaveTable?.again?.();
                this.showBar();
            } else {
                this.follow();
                this.show();
            }
        });
        setTimeout(() => this.caller.show(), 0); /* after app.js has set the page's title */
    }

    end() {
        this.ended = true;
        clearInterval(this.ticking);
        this.leaveTable?.();
        this.source.end();
        this.caller.end();
        this.link.close();
    }

    /* ---- The connection ---- */

    follow() {
        this.state.update();
        if (this.link.state === 'old') this.reload();
        if (this.link.state === 'refused' && this.link.code !== 'TOKEN_BAD')
            this.message(t('This room can’t be shown'), refusal(this.link.code));
    }

    /* The server speaks a newer version of the protocol: reloads the page. A chosen move is kept.
     * Only once, because a page from a cache would reload for ever. */
    reload() {
        const mark = 'endstation.reloaded';
        try {
            if (sessionStorage.getItem(mark)) return;
            sessionStorage.setItem(mark, 'yes');
        } catch {
            return;
        }
        location.reload();
    }

    fail(error) {
        console.error(error);
        toast(t('This page and the server disagree about the game. Reload the page.'), {warn: true,
            stay: true, label: t('Reload'), action: () => location.reload()});
    }

    message(title, text) {
        this.mode = 'message';
        this.leaveTable?.();
        this.leaveTable = null;
        fill(this.place, h('section', {class: 'panel message'}, h('h1', {}, title),
            h('p', {}, text), h('div', {class: 'row'},
                h('a', {class: 'button primary', href: '#online'}, t('Play online')))));
        this.retitle();
    }

    /* Sends a message with a new key, and shows a notice if the server refuses it. */
    async ask(message) {
        const answer = await this.link.request({key: newKey(), ...message});
        if (answer.t === 'no') tellRefusal(answer);
        return answer;
    }

    /* ---- The room's state ---- */

    take(info) {
        const kept = rooms.get(this.id);
        this.info = info;
        if (info.code) this.code = info.code;
        rooms.set(this.id, {code: this.code, commit: kept.commit ?? info.commit});
        if (info.phase === 'words') this.sendWord();
        if (kept.sit && info.phase === 'waiting' && !info.seat) {
            rooms.set(this.id, {sit: false});
            this.sitDown(0);
        }
        this.show();
    }

    show() {
        if (this.ended || !this.info) return;
        const {phase} = this.info;
        this.state.update();
        if (phase === 'closed' && !this.source.isOver && !this.source.state) {
            this.message(t('This room is closed'), t('The host has closed it, or nobody came ' +
                'for a long time.'));
            rooms.set(this.id, {over: true});
        } else if (phase === 'waiting' || phase === 'words') {
            this.showWaiting();
        } else {
            this.showTable();
        }
    }

    /* Sets the page's title from the heading; `calls`: it is the reader's turn. */
    retitle(calls = false) {
        const title = this.place.querySelector('h1')?.textContent.trim() || t('Room');
        this.caller.set(calls, title);
    }

    /* ---- Sitting down ---- */

    /* Makes the reader's word for the shuffle and sends its hash. The word itself is sent when the
     * server asks for it, in phase `words`. */
    async sitDown(seat) {
        if (!await ensureGuest(this.link)) return;
        const word = rooms.get(this.id).word ?? randomWord();
        rooms.set(this.id, {word});
        const answer = await this.ask({t: 'sit', seat, hash: hashOfWord(word)});
        if (answer.t === 'ok') announce(t('You have seat {n}.', {n: answer.seat}));
    }

    sendWord() {
        const {word} = rooms.get(this.id);
        if (!this.info.seat || !word || this.sentWord) return;
        this.sentWord = true;
        this.link.request({t: 'word', word});
    }

    /* ---- Waiting ---- */

    showWaiting() {
        if (this.mode !== 'waiting') this.buildWaiting();
        const {info, parts} = this;
        const {phase, seat, seats, watchers, open} = info;
        refill(parts.seats, seats.map((one, i) => this.seatLine(one, i + 1)));
        const free = seats.filter(({kind}) => kind === 'open').length;
        const people = seats.filter(({kind}) => kind === 'person').length;
        const can = people > 0 && seats.length - free >= this.least;
        parts.say.textContent = phase === 'words' ? t('The cards are being shuffled …')
            : !seat ? (free ? t('Sit down, or watch.') : t('All seats are taken.'))
                : !info.host ? t('The host starts the game.')
                    : can ? t('Start when everyone is here. Open seats disappear.')
                        : t('There are too few players.');
        refill(parts.buttons,
            info.host && button(t('Start the game'), {class: 'primary large', 'data-key': 'start',
                'aria-disabled': can && phase === 'waiting' ? null : 'true',
                onclick: () => can && this.ask({t: 'start'})}, 'play'),
            seat > 0 && button(t('Leave the seat'), {'data-key': 'leave',
                onclick: () => this.ask({t: 'leave'})}),
            info.host && button(t('Close the room'), {class: 'quiet', 'data-key': 'close',
                onclick: () => this.closeRoom()}));
        refill(parts.word, this.word());
        parts.watchers.textContent = watchers > 0
            ? tn('{n} person is watching.', '{n} people are watching.', watchers) : '';
        this.showInvitation();
        parts.chat.hidden = open;
        this.talk.read();
        this.retitle();
    }

    buildWaiting() {
        const {info} = this;
        this.mode = 'waiting';
        const title = h('h1', {}, t('Room'));
        const parts = (this.parts = {
            seats: h('ol', {class: 'room-seats'}),
            say: h('p', {role: 'status'}),
            buttons: h('div', {class: 'row'}),
            watchers: h('p', {class: 'muted small'}),
            word: h('div', {}),
            invitation: h('div', {class: 'stack'}),
            chat: this.talk.panel(),
        });
        this.picture = h('div', {class: 'room-picture'});
        fill(this.place, h('div', {class: 'room-head'}, title, this.state.element),
            h('div', {class: 'columns room'},
                h('section', {class: 'panel stack'}, h('h2', {class: 'stop'}, t('Players')),
                    parts.seats, parts.say, parts.buttons, parts.watchers),
                h('div', {class: 'stack wide'},
                    h('section', {class: 'panel stack'},
                        h('h2', {class: 'stop'}, t('Invite')), parts.invitation),
                    h('section', {class: 'panel stack'}, h('h2', {class: 'stop'}, t('The game')),
                        this.picture, h('p', {class: 'row'}, ruleTags(info.setup),
                            settingTags(info)),
                        !info.hints && h('p', {class: 'muted small'}, t('This page offers no ' +
                            'hints here. Nobody can keep others from using another program, ' +
                            'though.')),
                        this.shuffleDetails(parts.word)),
                    parts.chat)));
        this.showPicture(title);
        loadEngine().then((engine) => {
            const game = infoOf(engine, gameOf(info.setup));
            this.least = game?.players[0] ?? 1;
            this.levels = game?.levels ?? [];
            this.show();
        });
    }

    async showPicture(title) {
        const {setup} = this.info;
        const engine = await loadEngine();
        const needs = engine.needs(`endstation-record 1\n${setup}\n`);
        const map = needs.map && !needs.built_in
            ? await fetchMap(this.id, this.code).catch(() => '') : '';
        const heading = h('span', {});
        fill(this.picture, setupPicture(setup, heading, map));
        new MutationObserver(() => {
            title.textContent = heading.textContent;
            this.retitle();
        }).observe(heading, {childList: true});
    }

    least = 1;
    levels = [];

    seatLine(one, n) {
        const {host, phase, seat} = this.info;
        const arrange = (level) => this.ask({t: 'seat', seat: n, bot: level});
        const chooser = () => h('select', {'aria-label': t('Who plays seat {n}', {n}),
            'data-key': `seat-${n}`, onchange: ({target}) => arrange(target.value)},
        h('option', {value: '', selected: one.kind === 'open'}, t('Open seat')),
        h('optgroup', {label: t('Bots')}, this.levels.map((level) => h('option', {value: level,
            selected: one.level === level}, levelName(level)))));
        const may = host && phase === 'waiting';
        if (one.kind === 'person') {
            return h('li', {class: 'room-seat', 'data-seat': n}, disc(one.colour, one.name),
                h('span', {class: 'room-seat-name'}, h('strong', {}, one.name),
                    n === seat && h('span', {class: 'tag good'}, t('you')),
                    one.host && h('span', {class: 'tag'}, t('host')),
                    !one.here && h('span', {class: 'muted small'}, t('away'))),
                n !== seat && h('button', {type: 'button', class: 'button quiet square',
                    'data-key': `person-${n}`, 'aria-label': t('About {name}', {name: one.name}),
                    onclick: () => this.aboutPerson(one, n)}, icon('more')));
        }
        if (one.kind === 'bot') {
            return h('li', {class: 'room-seat', 'data-seat': n},
                h('span', {class: 'who who-bot', 'aria-hidden': 'true'}, icon('bot')),
                h('span', {class: 'room-seat-name'}, t('Bot: {level}',
                    {level: levelName(one.level)})), may && chooser());
        }
        return h('li', {class: 'room-seat room-seat-open', 'data-seat': n},
            h('span', {class: 'who who-open', 'aria-hidden': 'true'}, n),
            h('span', {class: 'room-seat-name muted'}, t('Open seat')),
            !seat && phase === 'waiting' && button(t('Sit here'), {class: 'primary',
                'data-key': `sit-${n}`, 'aria-label': t('Sit in seat {n}', {n}),
                onclick: () => this.sitDown(n)}),
            may && chooser());
    }

    /* What one can do about somebody at the table; before the start the host can remove them. */
    aboutPerson({name, who}, n) {
        const {host, phase} = this.info;
        const act = (key, label, message, style) => (close) => button(label, {class: style,
            'data-key': key, onclick: () => {
                close();
                this.ask({seat: n, ...message});
            }});
        const free = act('free', t('Free this seat'), {t: 'seat', bot: ''}, '');
        const remove = act('remove', t('Remove from the table'), {t: 'remove'}, 'danger');
        const acts = (close) => h('div', {class: 'stack tight'},
            h('p', {class: 'muted small'}, t('If you remove {name}, they can’t sit down here ' +
                'again, and can’t write. They could come back as somebody else, though: only a ' +
                'new room has another link.', {name})),
            h('div', {class: 'row'}, free(close), remove(close)));
        this.talk.about({who, name, seat: n},
            ...(host && phase === 'waiting' ? [acts] : []));
    }

    showInvitation() {
        const link = roomLink(this.id, this.info.code);
        if (this.invited === link && this.parts.invitation.firstChild) return;
        this.invited = link;
        fill(this.parts.invitation, this.invitation(link));
    }

    invitation(link = roomLink(this.id, this.info.code)) {
        return [linkField(link, {label: t('Link to this room'), title: t('Come and play'),
            copied: t('Link copied. Whoever opens it can sit down here.')}),
        this.info.code && h('p', {class: 'room-code'}, h('span', {}, t('Code')),
            h('strong', {}, this.info.code.replace(/(.{4})(?=.)/g, '$1-')))];
    }

    async closeRoom() {
        const answer = await dialog({title: t('Close the room?'),
            body: [h('p', {}, t('Nobody can play here any more.'))],
            actions: [{label: t('Keep it'), value: ''},
                {label: t('Close it'), value: 'yes', danger: true}]});
        if (answer) await this.ask({t: 'close'});
    }

    /* What the reader adds to the shuffle, once that is known: it is made with the first seat. */
    word() {
        const {word} = rooms.get(this.id);
        return word && h('p', {class: 'small'}, t('Your word (secret until the start)'),
            h('br', {}), h('code', {class: 'hash'}, word));
    }

    shuffleDetails(word) {
        return h('details', {class: 'shuffle'}, h('summary', {}, t('How the cards are shuffled')),
            h('div', {class: 'stack tight'},
                h('p', {}, t('Neither a player nor the server can choose the cards: everyone ' +
                    'adds a random word, after the server has fixed a secret of its own. This ' +
                    'page checks that when the game is over.')),
                h('p', {class: 'small'}, t('The server’s promise'), h('br', {}),
                    h('code', {class: 'hash'}, rooms.get(this.id).commit ?? this.info.commit)),
                word));
    }

    /* ---- Playing ---- */

    showTable() {
        if (this.mode !== 'table') this.buildTable();
        this.showBar();
    }

    /* What is around the table, and that. */
    buildBar(table, isChatHidden) {
        this.parts = {
            players: h('ul', {class: 'room-players', 'aria-label': t('At the table')}),
            tools: h('div', {class: 'room-tools'}),
            notes: h('div', {class: 'room-notes'}),
            table,
            drawer: this.talk.drawer(() => this.openChat(false)),
        };
        this.parts.drawer.hidden = isChatHidden;
        fill(this.place, h('section', {class: 'room-bar', 'aria-label': t('Room')},
            this.parts.players, this.state.element, this.parts.tools), this.parts.notes,
        this.parts.table, this.parts.drawer);
    }

    buildTable() {
        this.mode = 'table';
        this.buildBar(h('div', {class: 'room-table'}, h('h1', {}, t('Room'))), true);
        announce(t('The game has started.'));
        sit(this.parts.table, this.id, () => this.source.started).then((leave) => {
            if (this.ended || this.mode !== 'table') leave();
            else this.leaveTable = leave;
            this.show();
            if (document.activeElement !== document.body) return;
            /* The element with the focus is gone. */
            const heading = this.parts.table.querySelector('h1');
            heading.tabIndex = -1;
            heading.focus({preventScroll: true});
        });
    }

    /* Shows everything about the room that is outside the table. */
    showBar() {
        if (this.ended || this.mode !== 'table') return;
        const {info, parts, source} = this;
        refill(parts.players, info.seats.map((one, i) => this.playerChip(one, i + 1)));
        refill(parts.tools, this.tools());
        refill(parts.notes, this.notes());
        if (!parts.drawer.hidden && this.talk.unread) this.talk.read();
        const {viewer, state} = source;
        if (!state) return;
        if (!rooms.get(this.id).title) rooms.set(this.id, {title: gameName(state)});
        this.retitle(viewer > 0 && !source.isSending && !info.seats[viewer - 1]?.bot &&
            source.due.includes(viewer) && info.phase === 'playing');
    }

    playerChip(one, n) {
        const {source, talk} = this;
        const name = one.kind === 'bot' ? levelName(one.level) : one.name;
        const isPlaying = this.info.phase === 'playing';
        const isDue = source.due.includes(n) && isPlaying;
        const isGiven = isPlaying && Boolean(one.bot);
        const state = isGiven ? t('a bot plays')
            : one.kind === 'person' && !one.here ? t('away') : isDue ? t('to move') : '';
        const hasClock = source.left.has(n) && !isGiven && one.here;
        const said = talk.shown.get(one.who)?.text;
        return h('li', {class: `room-player${isDue ? ' due' : ''}`, data: {seat: n},
            'data-key': `player-${n}`, 'aria-current': isDue ? 'true' : null},
        one.kind === 'bot' ? h('span', {class: 'who who-bot', 'aria-hidden': 'true'}, icon('bot'))
            : disc(one.colour, one.name),
        h('span', {class: 'room-player-words'}, h('span', {class: 'room-player-name'},
            n === this.info.seat ? t('You') : name),
        h('span', {class: 'room-player-state small', data: {clock: hasClock ? n : ''}},
            (hasClock && this.clockWords(n)) || state)),
        said && h('span', {class: 'said'}, said));
    }

    clockWords(n) {
        const end = this.source.left.get(n);
        return end === undefined || this.info.phase !== 'playing' ? ''
            : remaining(end - performance.now());
    }

    tick() {
        if (this.mode !== 'table' || !this.info || this.source.left.size === 0) return;
        for (const element of this.parts.players.querySelectorAll('[data-clock]')) {
            const n = Number(element.dataset.clock);
            const text = n && this.clockWords(n);
            if (text && element.textContent !== text) element.textContent = text;
            element.classList.toggle('hurry', n > 0 &&
                this.source.left.get(n) - performance.now() < HURRY_MS);
        }
    }

    tools() {
        const {info, talk} = this;
        const tool = (label, name, key, act, more) => h('button', {type: 'button', title: label,
            class: 'button quiet square', 'aria-label': label, 'data-key': key, onclick: act},
        icon(name), more);
        const count = talk.unread;
        return [
            button(t('Say'), {class: 'quiet room-say', 'data-key': 'say', 'aria-haspopup': 'dialog',
                onclick: () => this.say()}, 'person'),
            !info.open && tool(count ? tn('Chat, {n} new message', 'Chat, {n} new messages', count)
                : t('Chat'), 'chat', 'chat', () => this.openChat(this.parts.drawer.hidden),
            count > 0 && h('span', {class: 'badge'}, String(count))),
            tool(t('About this room'), 'more', 'about', () => this.about()),
        ];
    }

    async say() {
        if (!await ensureGuest(this.link)) return;
        let close;
        dialog({title: t('Say something'), opened: (element, done) => (close = done),
            body: [h('div', {class: 'reactions'}, this.talk.reactions(() => close()))]});
    }

    openChat(open) {
        this.parts.drawer.hidden = !open;
        if (open) {
            this.talk.read();
            this.talk.field.focus();
        } else {
            this.parts.tools.querySelector('[data-key=chat]')?.focus();
        }
    }

    /* Notices above the table, some with buttons. */
    notes() {
        const {info, source} = this;
        const {phase, seat, seats, next} = info;
        const note = (key, text, ...buttons) => h('div', {class: 'room-note',
            'data-key': `note-${key}`},
            h('p', {}, text), buttons);
        const level = usualLevel(this.gameLevels());
        const isPlaying = phase === 'playing';
        return [
            isPlaying && seats[seat - 1]?.bot && note('given', t('A bot plays for you.'),
                button(t('Play again myself'), {class: 'primary', 'data-key': 'take',
                    onclick: () => this.ask({t: 'take'})})),
            isPlaying && seat > 0 && seats.map((one, i) => one.late && i + 1 !== seat &&
                note(`late-${i}`, t('{name} hasn’t moved for a long time.', {name: one.name}),
                    button(t('Let a bot play for {name}', {name: one.name}), {
                        'data-key': `replace-${i}`,
                        onclick: () => this.ask({t: 'replace', seat: i + 1, bot: level})}, 'bot'))),
            phase === 'closed' && note('closed', t('This room is closed.')),
            next && note('next', t('There is a rematch.'), h('a', {class: 'button primary',
                href: `#room=${next}`, 'data-key': 'next',
                onclick: () => seat > 0 && rooms.set(next, {sit: true})}, t('Go there'))),
            source.shuffle && this.shuffleNote(),
            this.news.length > 0 && this.meanwhile(),
        ];
    }

    /* One line if the shuffle is right; a warning if it is not, or if words are missing. */
    shuffleNote() {
        const {shuffle, state} = this.source;
        const text = h('p', {}, tellCheck(shuffle, state));
        return shuffle.ok && shuffle.missing.length === 0
            ? h('details', {class: 'room-note good', 'data-key': 'shuffle'},
                h('summary', {}, t('Checked: the cards were shuffled fairly.')), text)
            : h('div', {class: 'room-note warn', 'data-key': 'shuffle-wrong', role: 'alert'}, text);
    }

    gameLevels() {
        if (!this.allLevels) {
            this.allLevels = ['casual'];
            loadEngine().then((engine) => {
                this.allLevels = infoOf(engine, gameOf(this.info.setup))?.levels ?? ['casual'];
            });
        }
        return this.allLevels;
    }

    /* ---- After a break ---- */

    tellMeanwhile(facts) {
        this.news = facts;
        this.showBar();
    }

    meanwhile() {
        const {state} = this.source;
        const lines = this.news.map((fact) => full(tell(fact, state))).filter(Boolean);
        return h('section', {class: 'room-note room-news', 'data-key': 'news',
            'aria-label': t('While you were away')},
        h('div', {class: 'row spread'}, h('h2', {}, t('While you were away')),
            h('button', {type: 'button', class: 'button quiet square', 'data-key': 'news-close',
                'aria-label': t('Close'), onclick: () => this.tellMeanwhile([])}, icon('close'))),
        h('ul', {}, lines.slice(-MEANWHILE_MAX).map((line) => h('li', {}, line))));
    }

    /* ---- About the room ---- */

    about() {
        const {info} = this;
        const {phase, seat, seats} = info;
        const isMine = phase === 'playing' && seat > 0 && !seats[seat - 1].bot;
        const levels = this.gameLevels();
        const level = h('select', {'aria-label': t('Bot')}, levels.map((name) => h('option',
            {value: name, selected: name === usualLevel(levels)}, levelName(name))));
        const others = seats.map((one, i) => ({...one, n: i + 1}))
            .filter(({kind, n}) => kind === 'person' && n !== seat);
        dialog({title: t('About this room'), opened: (element, close) => {
            this.closeAbout = close;
        }, body: [h('div', {class: 'stack wide room-about'},
            h('p', {class: 'row'}, ruleTags(info.setup), settingTags(info)),
            !info.hints && phase === 'playing' && h('p', {class: 'muted small'}, t('This page ' +
                'offers no hints here. Nobody can keep others from using another program, ' +
                'though.')),
            (info.watch || info.code) && h('section', {class: 'stack tight'},
                h('h3', {}, t('Invite')), this.invitation()),
            isMine && h('section', {class: 'stack tight'},
                h('h3', {}, t('Give your seat to a bot')),
                h('p', {class: 'muted small'}, t('You can take it back at any time.')),
                h('div', {class: 'row'}, level, button(t('Let it play'), {onclick: () => {
                    this.closeAbout();
                    this.ask({t: 'give', bot: level.value});
                }}, 'bot'))),
            seat > 0 && this.deviceSection(),
            this.callSection(),
            others.length > 0 && h('section', {class: 'stack tight'},
                h('h3', {}, t('Mute or report')), h('div', {class: 'row'},
                    others.map((one) => button(one.name, {'data-key': `person-${one.n}`,
                        onclick: () => {
                            this.closeAbout();
                            this.aboutPerson(one, one.n);
                        }})))),
            info.host && phase === 'playing' && h('div', {}, button(t('Close the room'),
                {class: 'danger', onclick: () => {
                    this.closeAbout();
                    this.closeRoom();
                }})),
            this.shuffleDetails(this.word()))], wide: true});
    }

    deviceSection() {
        const place = h('div', {class: 'stack tight'});
        return h('section', {class: 'stack tight'}, h('h3', {}, t('Another device')),
            h('p', {class: 'muted small'}, t('Continue on your phone, or on another ' +
                'computer.')),
            h('div', {}, button(t('Make a link'), {onclick: async ({currentTarget}) => {
                const answer = await this.link.request({t: 'ticket'});
                if (answer.t !== 'ticket') {
                    tellRefusal(answer);
                    return;
                }
                currentTarget?.remove();
                fill(place, h('p', {class: 'small'}, t('For you alone: whoever opens this link ' +
                    'within ten minutes is you. It works once.')),
                linkField(`${location.origin}${location.pathname}#device=${answer.ticket}.${
                    this.id}`, {label: t('Link for another device'), title: t('Another device'),
                    copied: t('Link copied. It is for you alone.')}));
            }})), place);
    }

    callSection() {
        const {permission} = this.caller;
        const say = h('p', {class: 'muted small'}, t('While this page is open somewhere, its ' +
            'title says when it is your turn. Nothing comes when it is closed.'));
        const ask = button(t('Also notify me'), {onclick: async () => {
            const may = await this.caller.ask();
            ask.hidden = true;
            toast(may ? t('You will be notified while this page is open.')
                : t('Your browser doesn’t allow notifications here.'));
        }});
        return this.info.seat > 0 && h('section', {class: 'stack tight'}, h('h3', {},
            t('Your turn')), say, permission === 'default' && h('div', {}, ask));
    }

    /* ---- Rematch ---- */

    async rematch() {
        const answer = await this.ask({t: 'rematch'});
        if (answer.t !== 'ok') return;
        rooms.set(answer.room, {sit: true});
        location.hash = `#room=${answer.room}`;
    }
}

export async function show(place, parameter) {
    const {id, code} = parse(parameter);
    await loadStyle();
    if (!id) {
        fill(place, h('section', {class: 'panel message'}, h('h1', {},
            t('This room can’t be shown')), h('p', {}, refusal('NO_ROOM')),
        h('div', {class: 'row'}, h('a', {class: 'button primary', href: '#online'},
            t('Play online')))));
        return undefined;
    }
    const room = new Room(place, id, code);
    setTimeout(() => room.show(), 0); /* after app.js has set the page's title */
    return Object.assign(() => room.end(), {again: () => room.again()});
}
