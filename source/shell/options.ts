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
