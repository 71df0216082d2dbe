/* The browser's offer to install the page. It comes early and is kept for the settings. */
let offer = null;

window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    offer = event;
});

export const canInstall = () => offer !== null;

/* Asks the reader, once. */
export async function install() {
    const made = offer;
    offer = null;
    await made?.prompt();
}
