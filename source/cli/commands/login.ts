import type { Command } from '../../shell/command.ts';
import { accountOptions } from '../../shell/options.ts';

export const login: Command = {
	name: 'login',
	summary: 'sign in and save a profile',
	options: [
		...accountOptions,
		{ name: 'url', valueName: 'URL', help: 'base URL of the platform; ends in /v1' },
		{ name: 'auth-url', valueName: 'URL', help: 'URL of the identity provider' },
		{ name: 'email', valueName: 'EMAIL', help: 'e-mail to sign in with' },
		{ name: 'password-stdin', help: 'read the password from standard input' },
	],
	examples: [
		'crowsnest login',
		'pass show fleet | crowsnest login --profile work --password-stdin',
	],
	async run(host, args) {
		const { logIn } = await import('../login/conversation.ts');
		return logIn(host, args);
	},
};
