import type { Dialog } from './dialog-text.ts';

/** What somebody sees first who has no account here yet. */
export const welcomeDialog: Dialog = {
	title: 'Welcome to crowsnest',
	token: 'accent',
	lines: [
		[
			'A lookout over a fleet of cloud computers: what each of them is doing, how old that news is, ' +
				'and a key for everything that can be done with it.',
		],
		['There is no account here yet. What is shown is a demo in which nothing is real.', 'faint'],
	],
	prompt: [
		['l', 'accent'],
		[' sign in to your account   '],
		['Enter', 'accent'],
		[' look around the demo'],
	],
	hints: [],
};
