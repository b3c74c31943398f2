import { expect, test } from 'vitest';
import { commandLineOf } from '../../source/operations/own-commands.ts';

const values = {
	id: 'sb_1',
	name: 'nova',
	account: 'work',
	address: '198.18.0.1',
	url: 'https://nova.example/',
};

test.each([
	['a program', { type: 'words', words: ['ping', '{address}'] }],
	['a script', { type: 'shell', script: 'ping "$3"' }],
] as const)(
	'%s finds the values of the computer and its account in the same variables',
	(_, program) => {
		const result = commandLineOf({ name: 'ping', program }, values);
		expect('commandLine' in result && result.commandLine.variables).toEqual({
			CROWSNEST_COMPUTER_ID: 'sb_1',
			CROWSNEST_COMPUTER_NAME: 'nova',
			CROWSNEST_COMPUTER_ADDRESS: '198.18.0.1',
			CROWSNEST_COMPUTER_URL: 'https://nova.example/',
			CROWSNEST_ACCOUNT: 'work',
		});
	},
);
