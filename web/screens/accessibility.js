/* How accessible the page is: what was tested with what, what was not, and what is known not to
 * work. The tests are those of tests/page and tests/test_colours.c; a change there belongs here. */
import {h} from '../ui/dom.js';
import {list, p, statement} from './help.js';
import {t} from '../app/texts.js';

export function show(place) {
    statement(place, t('Accessibility'),
        t('Everyone should be able to play here. The goal is level AA of WCAG 2.2; nobody from ' +
            'outside has checked yet whether the page reaches it.'),
        [t('What was tested'),
            p(t('Programs test this again with every change:')),
            list(
                t('All screens with axe-core, in Chromium: on phone, tablet and desktop, light ' +
                    'and dark.'),
                t('Whole games with the keyboard alone, with a mouse and with a finger, in ' +
                    'Chromium; whole games also in Firefox and in WebKit, the engine of Safari.'),
                t('The tables of both games, enlarged to 200% and 400%.'),
                t('Colours: texts and lines stand out from the paper, and the lines of a city ' +
                    'from each other, also in simulations of three kinds of colour blindness.'),
                t('Names of controls, and what is announced to screen readers.'))],
        [t('What was not tested'),
            list(
                t('Real screen readers, such as NVDA, JAWS, VoiceOver and TalkBack.'),
                t('Voice control, switches, screen magnifiers and Braille displays.'),
                t('Safari on iPhone, iPad and Mac, and high-contrast modes of the system.'),
                t('How people who need any of this get on with the page.'))],
        [t('What is known not to work'),
            list(
                t('For a screen reader, a sheet or board is one picture with a title. Your ' +
                    'possible moves can be reached without it and every event is announced, but ' +
                    'nobody can explore a board square by square.'),
                t('In a room with a clock, a bot moves for you when your time is up. Only the ' +
                    'host can allow more time, before the game starts.'),
                t('Most notices disappear after six to ten seconds, and with them the button ' +
                    'that restores a deleted game.'))],
        [t('What may help'),
            p(t('In the settings you can show patterns on lines, slow down the bots, turn off ' +
                'animation and station names, and have the conductor read cards aloud.'),
            t('At a table, the key ? lists all keys.'),
            t('The letter, digit and ? keys can be turned off in the settings.')),
            p(t('If something doesn’t work for you, tell the people who run this server.')),
            h('p', {class: 'help-lessons'}, h('a', {href: '#settings'}, t('Settings')),
                h('a', {href: '#help'}, t('Help')), h('a', {href: '#privacy'}, t('Privacy')))]);
}
