/* The bar at the top: main menu, language, theme. */
import {fill, h, icon, toast} from '../ui/dom.js';
import {settings} from '../store/store.js';
import {language, languages, setLanguage, t} from './texts.js';
import {reloadIfOld} from './versions.js';

const THEMES = ['auto', 'light', 'dark'];

function themeName(theme) {
    switch (theme) {
    case 'light': return t('Theme: light');
    case 'dark': return t('Theme: dark');
    default: return t('Theme: system');
    }
}

function themeButton() {
    const theme = settings.get('theme');
    const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
    return h('button', {
        type: 'button', id: 'bar-theme', class: 'button quiet square bar-theme',
        title: themeName(theme), 'aria-label': themeName(theme),
        onclick: () => {
            settings.set('theme', next);
            showHeader();
        },
    }, icon(THEMES.includes(theme) ? theme : 'auto'));
}

/* app.js then shows screen and bar again. */
export async function changeLanguage(code) {
    if (await setLanguage(code)) return;
    if (await reloadIfOld(() => settings.set('language', code))) return;
    showHeader();
    toast(t('This language couldn’t be loaded. Are you online?'), {warn: true});
}

function languageChoice() {
    return h('span', {class: 'bar-language'},
        h('span', {class: 'bar-language-code', 'aria-hidden': 'true'}, language().toUpperCase()),
        h('span', {class: 'bar-language-name', 'aria-hidden': 'true'}, languages[language()]),
        h('select', {
            id: 'bar-language', 'aria-label': t('Language'),
            onchange: (event) => changeLanguage(event.target.value),
        }, Object.entries(languages).map(([code, name]) =>
            h('option', {value: code, lang: code, selected: code === language()}, name))));
}

function link(name, label) {
    const here = document.documentElement.dataset.screen === name;
    return h('a', {href: `#${name}`, class: 'bar-link', 'aria-current': here ? 'page' : null,
        title: label}, icon(name), h('span', {}, label));
}

export function showHeader() {
    const bar = document.getElementById('bar');
    const brand = bar.querySelector('.brand');
    const focus = bar.contains(document.activeElement) ? document.activeElement.id : '';
    brand.setAttribute('aria-label', t('Endstation: home'));
    const skip = document.getElementById('skip');
    skip.textContent = t('Skip to content');
    document.getElementById('notices').setAttribute('aria-label', t('Notices'));
    fill(bar, brand,
        h('nav', {class: 'bar-links', 'aria-label': t('Main menu')},
            link('games', t('Games')), link('help', t('Help')), link('settings', t('Settings'))),
        languageChoice(), themeButton());
    if (focus) document.getElementById(focus)?.focus();
}
