/* Light or dark, before anything is painted: the one script that runs ahead of the page. What was
 * chosen is kept by store.js under the same name; `auto` follows the system. */
(function () {
    const system = matchMedia('(prefers-color-scheme: dark)');

    function chosen() {
        try {
            return JSON.parse(localStorage.getItem('endstation.settings')) || {};
        } catch {
            return {};
        }
    }

    function apply() {
        const {theme, motion} = window.endstationSettings ?? chosen();
        const dark = theme === 'dark' || (theme !== 'light' && system.matches);
        const root = document.documentElement;
        const now = dark ? 'dark' : 'light';
        root.dataset.motion = motion === false ? 'none' : 'some';
        if (root.dataset.theme === now) return;
        root.dataset.theme = now;
        document.querySelector('meta[name=theme-color]').content = dark ? '#15181d' : '#f4f2ec';
        window.dispatchEvent(new Event('endstation-theme'));
    }

    apply();
    system.addEventListener('change', apply);
    window.addEventListener('endstation-settings', apply);
})();
