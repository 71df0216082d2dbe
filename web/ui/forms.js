/* Choices, switches and fields, as settings and new games ask for them. */
import {h} from './dom.js';

let count = 0;

/* A choice among tiles: options are {value, name, text, picture}. */
export function choices(legend, options, value, change, attributes = {}) {
    const group = `choice-${++count}`;
    return h('fieldset', {class: 'choices', ...attributes}, legend && h('legend', {}, legend),
        options.map((option) => h('label', {class: 'choice'},
            h('input', {type: 'radio', name: group, value: option.value,
                checked: option.value === value, disabled: option.disabled,
                onchange: () => change(option.value)}),
            option.picture,
            h('span', {class: 'choice-name'}, option.name),
            option.text && h('small', {}, option.text))));
}

/* One choice after the other, as stops of a line; see .route. */
export function routeStop(name, ...children) {
    return h('section', {class: 'route-stop'}, h('h2', {class: 'stop'}, name), children);
}

/* Few short choices in a row: options are [value, name]. */
export function segments(legend, options, value, change) {
    const group = `choice-${++count}`;
    return h('fieldset', {}, h('legend', {}, legend), h('div', {class: 'segments'},
        options.map(([choice, name]) => h('label', {},
            h('input', {type: 'radio', name: group, value: choice, checked: choice === value,
                onchange: () => change(choice)}), h('span', {}, name)))));
}

/* A switch with a sentence on what it does. */
export function onOff(name, text, value, change) {
    return h('label', {class: 'switch'}, h('span', {}, name),
        h('input', {type: 'checkbox', role: 'switch', checked: value,
            onchange: (event) => change(event.target.checked)}),
        text && h('small', {}, text));
}
