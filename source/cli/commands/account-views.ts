import { renewsAtOf } from '../../fleet/computers/account.ts';
import { autoSleepText, idleLimitMsOf } from '../../fleet/computers/stop-reason.ts';
import { isoTime, type JsonFields, jsonRecord } from '../../foundation/json.ts';
import { type AccountView, labelledLines, printView } from '../../script/print.ts';
import { creditsValues, subscriptionValues } from '../../views/billing.ts';
import { textViews } from '../../views/open-text.ts';
import type { Command } from '../command.ts';
import { readingOptions, severalReadingOptions } from '../options.ts';

type ViewCommand = Omit<Command, 'run'> & { view: AccountView };

const viewCommand = ({ view, ...command }: ViewCommand): Command => ({
	...command,
	isTool: true,
	run: (host, args) => printView(host, args, view),
});

const commandsOfViews = Object.entries(textViews).flatMap(([name, { lines, command }]) => {
	if (!command) return [];
	const { help, description, examples, reads, json, record } = command;
	const isOfOneAccount = json.form === 'array';
	return viewCommand({
		name,
		summary: help,
		...(description && { description }),
		options: isOfOneAccount ? readingOptions : severalReadingOptions,
		examples: examples.map(example => `crowsnest ${name} ${example}`.trim()),
		json: isOfOneAccount ? json : { ...json, formForSeveral: 'array' },
		view: { reads, lines, record },
	});
});

const creditsFields = {
	balance: 'credits left in total',
	daily: 'credits that are granted each day',
	monthly: 'credits that are granted each month',
	extra: 'credits that were bought',
	expiring: 'credits that expire',
	nonExpiring: 'credits that do not expire',
	canRun: 'false when the balance is too low to run anything',
	burnPerHour: 'credits spent per hour, from the readings of the last hours on this host',
	isEstimate: 'whether the burn rate was measured for less than an hour',
	secondsLeft: 'seconds until the balance is empty at that rate; null if unknown or never empty',
	emptyAt: 'time when the balance is empty at that rate',
	renewsAt: 'time when the plan renews, if it is known; the amount is not told',
} as const satisfies JsonFields;

const credits = viewCommand({
	name: 'credits',
	summary: 'show the credits left and how long they last',
	description:
		'The burn rate comes from readings of the monitor, `crowsnest watch` and earlier runs on this\n' +
		'host, for the computers that are active now. From less than an hour of readings it is an estimate (≈).',
	options: severalReadingOptions,
	examples: ['crowsnest credits', 'crowsnest credits --json | jq .balance'],
	json: { form: 'object', fields: creditsFields, formForSeveral: 'array' },
	view: {
		reads: ['credits'],
		lines: ({ account, runway, now }) => labelledLines(creditsValues(account, runway, now)),
		record({ account, runway, now }) {
			const timeLeft = runway?.timeLeftMs ?? null;
			return jsonRecord(creditsFields, {
				...account.credits,
				burnPerHour: runway?.burnPerHour,
				isEstimate: runway && runway.isEstimate === true,
				secondsLeft: timeLeft === null ? null : Math.round(timeLeft / 1000),
				emptyAt: timeLeft === null ? null : isoTime(now + timeLeft),
				renewsAt: isoTime(renewsAtOf(account.subscription)),
			});
		},
	},
});

const subscriptionFields = {
	plan: 'plan: free, pro, power, ultra or another; null if billing has not been started',
	planName: 'name of the plan as the platform shows it',
	status: "status in the platform's own words",
	periodEndsAt: 'time when the subscription renews or ends',
	endsWithPeriod: 'whether the subscription ends with the current period',
	sleepsAfter: 'idle seconds after which a computer sleeps; null if unknown or if it never sleeps',
} as const satisfies JsonFields;

const subscription = viewCommand({
	name: 'subscription',
	summary: 'show the plan and when it puts idle computers to sleep',
	options: severalReadingOptions,
	examples: ['crowsnest subscription --json'],
	json: { form: 'object', fields: subscriptionFields, formForSeveral: 'array' },
	view: {
		reads: ['subscription'],
		lines({ account, now }) {
			const current = account.subscription ?? null;
			const next = current
				? (['Auto-sleep', [[autoSleepText(current.plan)]]] as const)
				: (['Next step', [['`crowsnest billing setup` starts billing']]] as const);
			return labelledLines([...subscriptionValues(current, now), next]);
		},
		record({ account: { subscription: current } }) {
			const idleLimit = idleLimitMsOf(current?.plan) ?? Number.POSITIVE_INFINITY;
			return jsonRecord(subscriptionFields, {
				...current,
				periodEndsAt: isoTime(current?.periodEndsAt),
				sleepsAfter: Number.isFinite(idleLimit) ? idleLimit / 1000 : null,
			});
		},
	},
});

export const accountViewCommands = [...commandsOfViews, credits, subscription];
