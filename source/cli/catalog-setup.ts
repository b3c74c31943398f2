import type { Command } from '../shell/command.ts';
import { doctorFields, profileFields } from '../shell/json-fields.ts';
import { accountOptions, demoOptions, jsonOption } from '../shell/options.ts';

/** Accounts, configuration, and the demo platform. */
export const setupCommands: readonly Command[] = [
	{
		name: 'login',
		summary: 'try an account, and keep it as a profile',
		options: [
			...accountOptions,
			{ name: 'url', value: 'URL', help: 'where the platform answers; ends in /v1' },
			{ name: 'auth-url', value: 'URL', help: 'where the identity provider answers' },
			{ name: 'email', value: 'EMAIL', help: 'who signs in' },
			{ name: 'password-stdin', help: 'read the password from a pipe' },
		],
		examples: [
			'crowsnest login',
			'pass show fleet | crowsnest login --profile work --password-stdin',
		],
		load: async () => (await import('./login/conversation.ts')).login,
	},
	{
		name: 'logout',
		summary: 'forget the token that is kept for a profile',
		options: accountOptions,
		examples: ['crowsnest logout --profile work'],
		load: async () => (await import('./commands/logout.ts')).logout,
	},
	{
		name: 'profiles',
		summary: 'list the accounts that are configured',
		options: [...accountOptions, jsonOption],
		examples: ['crowsnest profiles'],
		json: { form: 'array', fields: profileFields },
		load: async () => (await import('./commands/profiles.ts')).profiles,
	},
	{
		name: 'config',
		summary: 'check the configuration',
		options: [
			...accountOptions,
			{ name: 'example', help: 'show every setting, explained' },
			{ name: 'path', help: 'show where the configuration is' },
		],
		examples: ['crowsnest config', 'crowsnest config --example'],
		load: async () => (await import('./commands/config.ts')).config,
	},
	{
		name: 'doctor',
		summary: 'check everything that a run needs, and say what to do',
		options: [...accountOptions, jsonOption],
		examples: ['crowsnest doctor', 'crowsnest doctor --json'],
		json: { form: 'object', fields: doctorFields },
		load: async () => (await import('./commands/doctor.ts')).doctor,
	},
	{
		name: 'simulate',
		summary: 'run the demo platform by itself, for other programs to talk to',
		options: [
			{ name: 'port', value: 'PORT', help: 'where it listens (any free one)' },
			...demoOptions,
		],
		examples: [
			'crowsnest simulate --port 8787 --computers 100',
			"crowsnest simulate --faults 'status:503:0.1' --shapes list=sandboxes",
		],
		load: async () => (await import('./commands/simulate.ts')).simulate,
	},
];
