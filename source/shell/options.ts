import type { Option } from './command.ts';

// Options that several commands have.

export const accountOptions: readonly Option[] = [
	{ name: 'profile', value: 'NAME', help: 'which account of the configuration' },
];

export const filterOption: Option = {
	name: 'filter',
	value: 'TERMS',
	help: "those that match, as in the monitor: 'status:active name:test-'",
};

export const jsonOption: Option = { name: 'json', help: 'for other programs' };

export const asciiOption: Option = { name: 'ascii', help: 'draw with nothing but ASCII' };

const timeoutOption: Option = {
	name: 'timeout',
	value: 'SECONDS',
	help: 'how long to wait at most',
};

export const readOnlyOption: Option = {
	name: 'read-only',
	help: 'refuse whatever would change anything',
};

/** Of whatever asks the platform and shows what it told. */
export const readingOptions: readonly Option[] = [...accountOptions, timeoutOption, jsonOption];

/** Of whatever changes something. */
export const changingOptions: readonly Option[] = [
	...accountOptions,
	{ name: 'yes', help: 'answer its question with yes' },
	{ ...timeoutOption, help: 'how long to wait at most; what is not sent then is not' },
	readOnlyOption,
	jsonOption,
];

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
