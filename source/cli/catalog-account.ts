import type { Command } from '../shell/command.ts';
import {
	billingFields,
	checkoutFields,
	creditsFields,
	modelFields,
	subscriptionFields,
	versionsFields,
} from '../shell/json-fields.ts';
import { changingOptions, readingOptions } from '../shell/options.ts';

/** What the platform tells of an account beside its computers, and how it is paid for. */
export const accountCommands: readonly Command[] = [
	{
		name: 'models',
		summary: 'list the models that can be used, with their prices',
		about: 'Prices are per million tokens.',
		options: readingOptions,
		examples: ['crowsnest models', "crowsnest models --json | jq -r '.[].id'"],
		json: { form: 'array', fields: modelFields },
		load: async () => (await import('./commands/models.ts')).models,
	},
	{
		name: 'versions',
		summary: 'show the latest version with its notes, and how many computers run what',
		options: readingOptions,
		examples: ['crowsnest versions', 'crowsnest versions --json | jq .behind'],
		json: { form: 'object', fields: versionsFields },
		load: async () => (await import('./commands/versions.ts')).versions,
	},
	{
		name: 'credits',
		summary: 'show what is left of the credits, and how long it lasts',
		about:
			'How fast they burn is told from what earlier runs on this host kept, and from the monitor or\n' +
			'`crowsnest watch` where one runs: ten minutes of it are needed.',
		options: readingOptions,
		examples: ['crowsnest credits', 'crowsnest credits --json | jq .balance'],
		json: { form: 'object', fields: creditsFields },
		load: async () => (await import('./commands/credits.ts')).credits,
	},
	{
		name: 'subscription',
		summary: 'show the plan, and what it does with a computer that nobody uses',
		options: readingOptions,
		examples: ['crowsnest subscription --json'],
		json: { form: 'object', fields: subscriptionFields },
		load: async () => (await import('./commands/subscription.ts')).subscription,
	},
	{
		name: 'billing setup',
		summary: 'start billing for this account, as for a new user',
		options: changingOptions,
		examples: ['crowsnest billing setup', 'crowsnest billing setup --yes --json'],
		json: { form: 'object', fields: billingFields },
		load: async () => (await import('./commands/billing.ts')).billingSetup,
	},
	{
		name: 'checkout',
		summary: 'open a payment page, and print its address',
		about: 'Nothing is paid until you pay there.',
		options: [{ name: 'qr', help: 'as a QR code too, for a telephone' }, ...changingOptions],
		examples: ['crowsnest checkout --qr', 'xdg-open "$(crowsnest checkout --yes)"'],
		json: { form: 'object', fields: checkoutFields },
		load: async () => (await import('./commands/billing.ts')).checkout,
	},
];
