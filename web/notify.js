/* Tells that it is the reader's turn outside the page: in the title of the tab, as a badge of the
 * installed page, and, where the reader has allowed it, as a notification. All of this works while
 * the page is open somewhere; nothing comes when it is closed. */
import {t} from './texts.js';

const MARK = '● ';

export class Caller {
    #calls = false;
    #title = '';

    /* Whether notifications are possible and allowed: 'granted', 'denied', 'default', or '' where
     * there are none. */
    get permission() {
        return globalThis.Notification?.permission ?? '';
    }

    /* Asks the reader; only ever at a click. */
    async ask() {
        return await Notification.requestPermission() === 'granted';
    }

    /* It is the reader's turn, or not, in the game called `title`. */
    set(calls, title) {
        const isNew = calls && !this.#calls;
        this.#calls = calls;
        this.#title = title;
        this.show();
        if (isNew && document.visibilityState === 'hidden') this.#notify();
    }

    /* The title of the page, which others may have set since. */
    show() {
        document.title = this.#calls ? `${MARK}${t('Your turn')} · ${this.#title} · Endstation`
            : `${this.#title} · Endstation`;
        if (this.#calls) navigator.setAppBadge?.(1).catch(() => {});
        else navigator.clearAppBadge?.().catch(() => {});
    }

    async #notify() {
        if (this.permission !== 'granted') return;
        const options = {body: this.#title, tag: 'endstation-turn', icon: 'icon-192.png'};
        try {
            const note = new Notification(t('Your turn'), options);
            note.onclick = () => {
                window.focus();
                note.close();
            };
        } catch { /* on phones only a service worker may */
            const worker = await navigator.serviceWorker?.getRegistration().catch(() => null);
            worker?.showNotification(t('Your turn'), options).catch(() => {});
        }
    }

    end() {
        navigator.clearAppBadge?.().catch(() => {});
    }
}
