import { type Command, exitCodes } from '../../shell/command.ts';
import { accountOptions } from '../../shell/options.ts';
import { logIn } from '../login/conversation.ts';

export const login: Command = {
	name: 'login',
	summary: 'sign in and save a profile',
	description:
		'Asks for what is missing; < goes back to the previous question. The anon key and the password are no\n' +
		'options, because other users can see them: type them, or set CROWSNEST_ANON_KEY and CROWSNEST_PASSWORD.\n' +
		'With --token, it asks for a token that you already have, or reads it from standard input. crowsnest cannot\n' +
		'renew such a token.',
	options: [
		...accountOptions,
		{ name: 'url', valueName: 'URL', help: 'base URL of the platform; ends in /v1' },
		{ name: 'auth-url', valueName: 'URL', help: 'URL of the identity provider' },
		{ name: 'email', valueName: 'EMAIL', help: 'e-mail to sign in with' },
		{ name: 'token', help: 'sign in with a token instead of a password, and store it' },
		{ name: 'password-stdin', help: 'read the password from standard input' },
	],
	examples: [
		'crowsnest login',
		'crowsnest login --token --profile lab',
		'pass show fleet | crowsnest login --profile work --password-stdin',
	],
	async run(host, args) {
		const code = await logIn(host, args);
		if (code === exitCodes.done) host.program.stdout.write('Now run `crowsnest`.\n');
		return code;
	},
};
