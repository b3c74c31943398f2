import type { Credits } from '../../fleet/computers/account.ts';
import { type Runway, runwayOf } from '../../fleet/computers/runway.ts';
import { type Fleet, withFleets } from '../../script/fleet.ts';
import { isoTime } from '../../script/iso-time.ts';
import { labelledLines, plainValues } from '../../script/plain-sections.ts';
import { accountColumn, accountOf, readAccounts } from '../../script/read-accounts.ts';
import type { Command, JsonFields, JsonRecord } from '../../shell/command.ts';
import { withAccount } from '../../shell/errors.ts';
import { loadSettings, requireAccounts } from '../../shell/load-settings.ts';
import { severalReadingOptions } from '../../shell/options.ts';
import type { AccountState } from '../../store/state.ts';
import { creditsValues } from '../../wording/views/credits-text.ts';

const creditsFields = {
	balance: 'credits left in total',
	daily: 'credits that are granted each day',
	monthly: 'credits that are granted each month',
	extra: 'credits that were bought',
	expiring: 'credits that expire',
	nonExpiring: 'credits that do not expire',
	canRun: 'false when the balance is too low to run anything',
	burnPerHour: 'credits spent per hour, from the readings of the last hours on this host',
	secondsLeft: 'seconds until the balance is empty at that rate; null if unknown or never empty',
	emptyAt: 'time when the balance is empty at that rate',
} as const satisfies JsonFields;

export const credits: Command = {
	name: 'credits',
	summary: 'show the credits left and how long they last',
	description:
		'The burn rate comes from readings of the monitor, `crowsnest watch` and earlier runs on this\n' +
		'host. From less than ten minutes of readings it is an estimate (≈), which --json leaves out.',
	options: severalReadingOptions,
	examples: ['crowsnest credits', 'crowsnest credits --json | jq .balance'],
	json: { form: 'object', fields: creditsFields, formForSeveral: 'array' },
	run(host, args) {
		const chooseAccounts = () => requireAccounts(host, loadSettings(host, args));
		return withFleets(host, args, chooseAccounts, async (fleets, write) => {
			const column = accountColumn(fleets);
			const records = new Map<Fleet, object>();
			const isJson = args.flag('json');
			const code = await readAccounts(
				host,
				args,
				fleets,
				({ readOrThrow }) => readOrThrow('credits'),
				results => {
					for (const { fleet, result } of results) {
						const now = host.clock.now();
						const runway = runwayOf(result.samples);
						records.set(fleet, withAccount(creditsRecord(result, runway, now), accountOf(fleet)));
						if (isJson) continue;
						const text = labelledLines(plainValues(creditsValues(result, runway, now)));
						write(text.replace(/^(?=.)/gm, column.cellOf(fleet)));
					}
				},
			);
			const ordered = fleets.flatMap(fleet => records.get(fleet) ?? []);
			const output = fleets.length > 1 ? ordered : ordered[0];
			if (isJson && ordered.length > 0) write(`${JSON.stringify(output, undefined, 2)}\n`);
			return code;
		});
	},
};

function creditsRecord(account: AccountState, runway: Runway | null, now: number) {
	const { balance = null, ...parts } = account.credits ?? {};
	const remainingCredits: Credits = { balance, ...parts };
	const timeLeft = runway?.timeLeftMs ?? null;
	return {
		balance: remainingCredits.balance,
		daily: remainingCredits.daily ?? null,
		monthly: remainingCredits.monthly ?? null,
		extra: remainingCredits.extra ?? null,
		expiring: remainingCredits.expiring ?? null,
		nonExpiring: remainingCredits.nonExpiring ?? null,
		canRun: remainingCredits.canRun ?? null,
		burnPerHour: runway?.burnPerHour ?? null,
		secondsLeft: timeLeft === null ? null : Math.round(timeLeft / 1000),
		emptyAt: timeLeft === null ? null : isoTime(now + timeLeft),
	} satisfies JsonRecord<typeof creditsFields>;
}
