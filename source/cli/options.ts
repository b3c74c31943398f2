import { planNames } from '../monitor/demo-options.ts';
import type { Option } from './command.ts';

const profileOption = { name: 'profile', isRepeatable: true, values: 'profiles' } as const;

export const accountOptions: readonly Option[] = [
	{ ...profileOption, valueName: 'NAME', help: 'use this profile of the configuration' },
];

export const severalAccountsOptions: readonly Option[] = [
	{
		...profileOption,
		valueName: 'NAMES',
		help: 'use these profiles of the configuration: one name, or several as in work,lab',
	},
	{ name: 'all-profiles', help: 'use all profiles of the configuration' },
];

export const filterOption: Option = {
	name: 'filter',
	valueName: 'TERMS',
	values: 'filter',
	help: "only computers that match, as in the monitor: 'status:active name:test-'",
};

export const jsonOption: Option = { name: 'json', help: 'print machine-readable output' };

export const asciiOption: Option = { name: 'ascii', help: 'draw with ASCII characters only' };

const timeoutOption: Option = {
	name: 'timeout',
	valueName: 'TIME',
	help: 'give up after this time: 90, 90s or 2m',
};

export const readOnlyOption: Option = {
	name: 'read-only',
	help: 'refuse every operation that changes something',
};

export const freshOption: Option = {
	name: 'fresh',
	help: 'ask the platform even if a running monitor has the data',
};

export const demoOption: Option = {
	name: 'demo',
	help: 'try the command on a made-up fleet; no account is read or changed',
};

const readOptions = [freshOption, timeoutOption, demoOption, jsonOption];

export const readingOptions: readonly Option[] = [...accountOptions, ...readOptions];

export const severalReadingOptions: readonly Option[] = [...severalAccountsOptions, ...readOptions];

export const changingOptions: readonly Option[] = [
	...accountOptions,
	{ name: 'yes', help: 'answer every question with yes' },
	{
		...timeoutOption,
		help: 'give up after this long; requests that are not sent by then are dropped',
	},
	readOnlyOption,
	demoOption,
	jsonOption,
];

export const screenOptions: readonly Option[] = [
	{
		name: 'theme',
		valueName: 'THEME',
		values: ['dark', 'light'],
		help: "dark or light background (the terminal's own)",
	},
	{
		name: 'screen-reader',
		help: 'print changes as plain lines instead of drawing (INK_SCREEN_READER=true)',
	},
	{ name: 'mouse', help: 'scroll and click with the mouse; hold Shift to select text' },
	asciiOption,
	{ name: 'no-color', help: 'use no colours, as with NO_COLOR' },
	{
		name: 'low-bandwidth',
		help: 'save bytes: round times to minutes, show no spinners, and redraw at most once a second unless a key is pressed',
	},
];

export const demoOptions: readonly Option[] = [
	{ name: 'computers', valueName: 'N', help: 'number of computers in the demo fleet (24)' },
	{ name: 'seed', valueName: 'N', help: 'number that decides which fleet is generated (1)' },
	{ name: 'speed', valueName: 'N', help: 'let the demo run N times as fast (1)' },
	{
		name: 'plan',
		valueName: 'PLAN',
		values: planNames,
		help: 'plan of the demo account: free, pro, power or ultra; by default pro',
	},
	{
		name: 'shapes',
		valueName: 'LIST',
		help: 'change the shape of responses: list=wrapped,case=camel',
	},
	{ name: 'faults', valueName: 'LIST', help: 'make requests fail: status:503:0.1,list:hang' },
];

export const monitorOptions: readonly Option[] = [
	...severalAccountsOptions,
	readOnlyOption,
	{ name: 'alone', help: 'poll for this process only, instead of sharing the data of all panes' },
	...screenOptions,
	{ name: 'demo', help: 'watch the built-in demo platform, whatever is configured' },
	...demoOptions,
];
