import { spanText, timeText } from '../../drawing/time-text.ts';
import type { Credits } from '../../fleet/account.ts';
import { type Runway, runwayOf } from '../../fleet/runway.ts';
import { isoTime } from '../../script/computer-record.ts';
import { withFleet } from '../../script/fleet.ts';
import { plainFacts } from '../../script/plain-sections.ts';
import { exitCodes, type Run } from '../../shell/command.ts';
import type { creditsFields, RecordOf } from '../../shell/json-fields.ts';

/** What is left, and how long it lasts as far as the samples that were kept tell. */
export const credits: Run = (host, args) =>
	withFleet(host, args, async ({ require: need }) => {
		const account = await need('credits');
		const { balance = null, ...parts } = account.credits ?? {};
		const left = { balance, ...parts };
		const runway = runwayOf(account.samples);
		const now = host.clock.now();
		const text = args.flag('json')
			? `${JSON.stringify(creditsRecord(left, runway, now), undefined, 2)}\n`
			: creditsText(left, runway, now);
		host.program.stdout.write(text);
		return exitCodes.done;
	});

function creditsRecord(left: Credits, runway: Runway | null, now: number) {
	const timeLeft = runway?.timeLeft ?? null;
	return {
		balance: left.balance,
		daily: left.daily ?? null,
		monthly: left.monthly ?? null,
		extra: left.extra ?? null,
		expiring: left.expiring ?? null,
		nonExpiring: left.nonExpiring ?? null,
		canRun: left.canRun ?? null,
		burnPerHour: runway?.burnPerHour ?? null,
		secondsLeft: timeLeft === null ? null : Math.round(timeLeft / 1000),
		emptyAt: timeLeft === null ? null : isoTime(now + timeLeft),
	} satisfies RecordOf<typeof creditsFields>;
}

function creditsText(left: Credits, runway: Runway | null, now: number): string {
	const { daily, monthly, extra, expiring, nonExpiring, canRun } = left;
	const amount = (value: number | null | undefined) => value?.toFixed(2) ?? '';
	return plainFacts([
		['Credits', amount(left.balance) || 'not told'],
		['Lasts', lastsText(runway, now)],
		['Burn', runway ? `${amount(runway.burnPerHour)} an hour` : 'not known yet'],
		['Daily', amount(daily)],
		['Monthly', amount(monthly)],
		['Extra', amount(extra)],
		['Expiring', amount(expiring)],
		['Lasting', amount(nonExpiring)],
		['Runs', canRun === false ? 'nothing more can run on what is left' : ''],
	]);
}

function lastsText(runway: Runway | null, now: number): string {
	if (!runway) return 'not known: ten minutes of watching tell it';
	const { timeLeft } = runway;
	if (timeLeft === null) return 'as long as nothing burns';
	return `${spanText(timeLeft)}, until ${timeText(now + timeLeft, now)} at this pace`;
}
