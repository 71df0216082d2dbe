/* What is kept where, for how long, and who can see it. The server's part is what src/rooms and
 * src/store do, and docs/operating.md; a change there belongs here. */
import {h} from '../ui/dom.js';
import {list, p, statement} from './help.js';
import {t} from '../app/texts.js';

export function show(place) {
    statement(place, t('Privacy'),
        t('No accounts, no advertising, no tracking. This page asks nobody but its own server ' +
            'for anything.'),
        [t('In this browser'),
            list(
                t('Your games, your own sheets, the problems you solved and your settings are ' +
                    'saved in this browser. Unless you play online, none of it is sent anywhere.'),
                t('The files of the page are saved too, so that it works offline.'),
                t('Everyone who uses this browser can see all of it. Under Settings you can save ' +
                    'it as a file or delete it.'),
                t('Browsers may delete it: Safari after seven days of use without a visit here, ' +
                    'others when space runs out. On Apple devices an installed page has its ' +
                    'own storage, which starts empty. So save everything as a file from time to ' +
                    'time.'),
                t('Reading cards aloud uses a voice of your browser. Some browsers have voices ' +
                    'that send the words to their maker.'))],
        [t('In links and files'),
            p(t('A link to a game contains the whole game with the names of the players, after ' +
                'the # of the address. Browsers don’t send that part to a server, but everyone ' +
                'who gets the link can see the game.'),
            t('The same is true of files you save.'))],
        [t('On the server, if you play online'),
            list(
                t('The server saves a random number for you, your name and colour, and the ' +
                    'browser and system of each of your devices, such as “Firefox, Linux”; and ' +
                    'the rooms with their sheets, players, moves, times and chat.'),
                t('The key to your name is in this browser, and in a cookie for 400 days. The ' +
                    'server has only a hash of it. If you don’t play online, there is no ' +
                    'cookie. If you delete everything under Settings, the key and the cookie are ' +
                    'deleted too, and this device is signed out.'),
                t('People in a room see your name, your moves and what you write. The names in ' +
                    'open rooms are shown to everyone. After a game, everyone in the room gets ' +
                    'its record.'),
                t('The people who run the server can read all of this, even the hidden cards and ' +
                    'tiles of a game that is still going on.'))],
        [t('How long the server keeps it'),
            list(
                t('Chat: until 30 days after the game.'),
                t('Games: until 400 days after their end. Tables where no game began: until ' +
                    'seven days after they were closed.'),
                t('Name and devices: until you have not been here for 400 days; longer while you ' +
                    'are in a room that is not over. If you delete yourself under Settings, ' +
                    'your name, your devices and your chat are deleted at once; your moves ' +
                    'stay in the games of others.'),
                t('Links by which another device becomes yours work for ten minutes. A hash of ' +
                    'each is kept for 30 days after that.'),
                t('Under Settings you can get everything that the server has about you as a ' +
                    'file.'),
                t('These are the usual times. The people who run this server can choose others ' +
                    'for games, tables, names and devices.'),
                t('Your network address: only as a keyed hash, for about a day, to limit abuse.'),
                t('What somebody reports: the message or the name, whose it is, who reported it ' +
                    'and when, for 30 days.'),
                t('Of people who were blocked: hashes of the keys of their devices, for at most ' +
                    'a year, and their network addresses as keyed hashes, for at most 30 days.'),
                t('That the people who run the server don’t let somebody write: for at most a ' +
                    'year.'),
                t('Backups, exported records and the log of a web server in front of this ' +
                    'program may keep more, addresses too. Ask the people who run this server.')),
            h('p', {class: 'help-lessons'}, h('a', {href: '#settings'}, t('Settings')),
                h('a', {href: '#accessibility'}, t('Accessibility')))]);
}
