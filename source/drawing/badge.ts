/** What an account is called, in a colour of its own: production is to look like nothing else. */
export type Badge = { text: string; colour: string | undefined };

const named: Readonly<Record<string, string>> = {
	red: '31',
	green: '32',
	yellow: '33',
	blue: '34',
	magenta: '35',
	cyan: '36',
	white: '37',
	grey: '90',
};

/** The badge as it is drawn: light on its colour, or as it stands where there are no colours. */
export function paintedBadge({ text, colour }: Badge, colours: 0 | 4 | 8 | 24): string {
	const code = colour === undefined ? undefined : codeOf(colour, colours);
	return code === undefined || colours === 0 ? text : `\x1b[${code};7m${text}\x1b[27;39m`;
}

function codeOf(colour: string, colours: 0 | 4 | 8 | 24): string | undefined {
	if (Object.hasOwn(named, colour)) return named[colour];
	const parts = /^#(..)(..)(..)$/
		.exec(colour)
		?.slice(1)
		.map(part => Number.parseInt(part, 16));
	if (!parts || colours === 4) return undefined;
	if (colours === 24) return `38;2;${parts.join(';')}`;
	const [red = 0, green = 0, blue = 0] = parts.map(part => Math.round((part / 255) * 5));
	return `38;5;${16 + 36 * red + 6 * green + blue}`;
}
