/* The hint: what the game's best bot would do, and the next best moves with what it expects. */
import {announce, h} from '../ui/dom.js';
import {Thinker} from '../engine/thinker.js';
import {t} from '../app/texts.js';
import {expected, levelName} from '../ui/words.js';
import {progress, refill} from '../ui/parts.js';

const SHOWN = 4; /* the best, and three others */

export class Hint {
    /* Fills `place`; calls choose(event) with the move that the reader selects. */
    constructor(place, {choose, words}) {
        Object.assign(this, {place, choose, words});
        this.asked = 0;
        this.answer = null; /* what is shown: moves, the best first */
    }

    /* What the best bot is called: most games have a master. */
    #heading() {
        return this.level === 'master' ? t('A master would choose')
            : t('{level} would choose', {level: levelName(this.level)});
    }

    /* The same once more, in another language or place. */
    again() {
        if (this.thinker?.busy) {
            this.#wait();
        } else if (this.answer) {
            this.#fill();
        }
    }

    #wait() {
        refill(this.place, h('div', {class: 'panel hint'},
            progress(t('Thinking it over.'), null, () => this.close())));
    }

    /* Resolves with true once it is shown. */
    async ask(question) {
        if (this.thinker?.busy) {
            return false; /* already asked: any event would have cancelled the question */
        }
        const request = ++this.asked;
        this.level = question.level;
        this.thinker ??= new Thinker();
        this.#wait();
        this.place.scrollIntoView({block: 'nearest'});
        try {
            const answer = await this.thinker.think(question);
            if (request === this.asked) {
                this.show(answer);
                return true;
            }
        } catch (error) {
            if (request === this.asked) {
                this.close();
            }
            if (error.name !== 'Cancelled') {
                throw error;
            }
        }
        return false;
    }

    show({event, candidates}) {
        this.answer = candidates?.length ? candidates.slice(0, SHOWN) : [{event}];
        this.#fill();
        this.place.scrollIntoView({block: 'nearest'});
        announce(t('{who}: {move}', {who: this.#heading(),
            move: this.words(this.answer[0].event)}));
    }

    #fill() {
        const list = this.answer;
        const items = list.map((candidate, i) => h('li', {},
            h('button', {type: 'button', class: 'button hint-move', 'data-key': `hint-${i}`,
                onclick: () => this.choose(candidate.event)},
            h('span', {}, this.words(candidate.event)),
            'points' in candidate && h('span', {class: 'hint-points'}, expected(candidate)))));
        refill(this.place, h('div', {class: 'panel hint'},
            h('div', {class: 'hint-head'}, h('h2', {}, this.#heading()),
                h('button', {type: 'button', class: 'button quiet', 'data-key': 'close',
                    onclick: () => this.close()}, t('Close'))),
            h('ol', {class: 'hint-list'}, items),
            list.length > 1 && h('p', {class: 'muted'}, list[0].win < 1 ?
                t('Beside each move: the points expected at the end, and the chance of winning.') :
                t('Beside each move: the points expected at the end of the game.'))));
    }

    get open() {
        return this.place.childElementCount > 0;
    }

    /* The focus goes back to where the hint was asked for. */
    close() {
        const inside = this.place.contains(document.activeElement);
        this.asked++;
        this.thinker?.cancel();
        this.answer = null;
        refill(this.place);
        if (inside) {
            this.place.closest('.table')?.querySelector('[data-key=hint]')
                ?.focus({preventScroll: true});
        }
    }

    end() {
        this.asked++;
        this.thinker?.close();
    }
}
