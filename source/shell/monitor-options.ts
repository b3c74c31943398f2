import type { Option } from './command.ts';

/** How the monitor shows itself. */
export const screenOptions: readonly Option[] = [
	{ name: 'theme', value: 'THEME', help: "for a dark or a light background (the terminal's own)" },
	{
		name: 'screen-reader',
		help: 'plain lines, changes told as they happen, and nothing drawn (INK_SCREEN_READER=true)',
	},
	{ name: 'mouse', help: 'wheel and clicks move the cursor; selecting text then needs Shift' },
	{ name: 'ascii', help: 'draw with nothing but ASCII' },
	{ name: 'no-color', help: 'no colours, as with NO_COLOR' },
	{
		name: 'low-bandwidth',
		help: 'times to the minute, no spinners, and one frame a second but for keys',
	},
];

/** What the demo platform is like. */
export const demoOptions: readonly Option[] = [
	{ name: 'computers', value: 'N', help: 'how many computers the demo fleet has (24)' },
	{ name: 'seed', value: 'N', help: 'another seed makes another fleet (1)' },
	{ name: 'speed', value: 'N', help: 'how many times faster its time goes (1)' },
	{ name: 'plan', value: 'PLAN', help: 'free, pro, power or ultra (pro)' },
	{ name: 'shapes', value: 'LIST', help: 'how it answers, such as list=wrapped,case=camel' },
	{ name: 'faults', value: 'LIST', help: 'what goes wrong, such as status:503:0.1,list:hang' },
];
