/* Who sits at this device: whose view is shown, and who takes the device next.
 *
 * A source (localsource.js) gives {player, here, due, undo, back} for every seat: whether it is
 * played by a person at this device; whether it has to act; whether its latest move can be taken
 * back (undo: nothing was revealed since; back: in any case). This is not part of the view, because
 * that somebody has acted is no secret, while what they did may be. */
export class Seats {
    #list = [];
    #secret; /* players may know what others do not */

    constructor({secrets}) {
        this.#secret = secrets;
        this.holder = 0; /* the person who has the device; 0: nobody yet, or only bots play */
        this.next = 0; /* the person who takes it next; until then a spectator's view is shown */
    }

    update(list) {
        this.#list = list;
        if (!this.people.includes(this.holder)) {
            this.holder = 0;
        }
        if (this.people.length === 1) {
            [this.holder] = this.people;
        }
    }

    /* The players who are persons at this device. */
    get people() {
        return this.#players('here');
    }

    /* The players who have to act, here or elsewhere. */
    get due() {
        return this.#players('due');
    }

    /* Whose view is to be shown; 0: a spectator's. */
    get viewer() {
        return this.next ? 0 : this.holder;
    }

    /* The person here whose latest move can be taken back now; 0: none. In games without secrets
     * somebody else may have the device by now. */
    get undoer() {
        const able = this.#players('undo').filter((player) => this.people.includes(player));
        return able.find((player) => player === this.holder || !this.#secret) ?? 0;
    }

    /* The person whose latest move can be taken back even if something was revealed since; 0: none.
     */
    get backer() {
        return this.#players('back')[0] ?? 0;
    }

    /* After something has happened: sets who has the device, or has to take it, next. In games
     * without secrets it changes hands without being asked for. */
    settle(over) {
        const waiting = this.due.filter((player) => this.people.includes(player));
        this.next = 0;
        if (over) {
            this.holder ||= this.people[0] ?? 0;
        } else if (waiting.length > 0 && !waiting.includes(this.holder)) {
            const next = waiting.find((player) => player > this.holder) ?? waiting[0];
            if (this.#secret && this.people.length > 1) {
                this.next = next;
            } else {
                this.holder = next;
            }
        }
    }

    /* That person has the device now. */
    give(player) {
        this.holder = player;
        this.next = 0;
    }

    #players(what) {
        return this.#list.filter((seat) => seat[what]).map(({player}) => player);
    }
}
