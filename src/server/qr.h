/* QR codes as SVG, for links that somebody scans from a screen. */
#ifndef ENDSTATION_QR_H
#define ENDSTATION_QR_H

enum { QR_TEXT_MAX = 256 };

/* Returns the QR code of a text of at most QR_TEXT_MAX bytes as an SVG image, to be freed; NULL if
 * there is none. Black on white, with the margin that scanners need. */
char *qr_svg(const char *text);

#endif
