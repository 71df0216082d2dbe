/* Shows outside the page that it is the reader's turn: in the title of the tab, as a badge of the
 * installed page, and, if the reader has allowed it, as a notification. All of this works only
 * while the page is open in some tab. */
import {t} from '../app/texts.js';

const MARK = '● ';

/* The address of the page's icon, which has its version in it. */
const iconAddress = () => document.querySelector('link[rel=apple-touch-icon]')?.href ?? '';

/* The address may have more to it, such as the room's code. */
function goTo(hash) {
    if (!`${location.hash}.`.startsWith(`${hash}.`)) location.hash = hash;
}

export class Caller {
    #calls = false;
    #title = '';
    #hash;

    /* `hash`: where a click on the notification leads. */
    constructor(hash) {
        this.#hash = hash;
    }

    /* 'granted', 'denied', 'default' (not asked yet), or '' in browsers without notifications. */
    get permission() {
        return globalThis.Notification?.permission ?? '';
    }

    /* Asks for permission; browsers allow this only in a click. True: granted. */
    async ask() {
        return await Notification.requestPermission() === 'granted';
    }

    /* Sets whether it is the reader's turn, and the title of the page or game. */
    set(calls, title) {
        const isNew = calls && !this.#calls;
        this.#calls = calls;
        this.#title = title;
        this.show();
        if (isNew && document.visibilityState === 'hidden') this.#notify();
    }

    /* Sets the title and the badge again; other code may have changed the title. */
    show() {
        document.title = this.#calls ? `${MARK}${t('Your turn')} · ${this.#title} · Endstation`
            : `${this.#title} · Endstation`;
        if (this.#calls) navigator.setAppBadge?.(1).catch(() => {});
        else navigator.clearAppBadge?.().catch(() => {});
    }

    async #notify() {
        if (this.permission !== 'granted') return;
        const options = {body: this.#title, tag: 'endstation-turn', icon: iconAddress(),
            data: {hash: this.#hash}};
        try {
            const note = new Notification(t('Your turn'), options);
            note.onclick = () => {
                window.focus();
                goTo(this.#hash);
                note.close();
            };
        } catch { /* on phones only a service worker may show one, and hears the click (sw.js) */
            const worker = await navigator.serviceWorker?.getRegistration().catch(() => null);
            worker?.showNotification(t('Your turn'), options).catch(() => {});
        }
    }

    end() {
        navigator.clearAppBadge?.().catch(() => {});
    }
}
