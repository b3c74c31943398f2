import { readNames } from '../../script/complete-readings.ts';
import { computerRecord } from '../../script/computer-record.ts';
import { type Fleet, withFleet } from '../../script/fleet.ts';
import { plainContext } from '../../script/plain-list.ts';
import { computersNamed } from '../../script/select-computers.ts';
import type { Host } from '../../session/host.ts';
import { exitCodes, type Run } from '../../shell/command.ts';
import { CommandError, UsageError } from '../../shell/errors.ts';
import type { AccountState, ComputerState } from '../../store/state.ts';
import { environmentFrom } from '../../terminal/environment.ts';
import { cleanForTerminal } from '../../terminal/escape-sequences.ts';
import { detailFacts } from '../../wording/detail-facts.ts';

/** All that is known of one computer, its record and its status asked for anew. */
export const show: Run = (host, args) =>
	withFleet(host, args, async fleet => {
		const { current: known, require: need, session } = fleet;
		const [word, ...more] = args.rest;
		if (word === undefined || more.length > 0) throw new UsageError('show takes one ID or name');
		await need('list');
		await readNames(fleet, [word]);
		const [meant] = computersNamed(known(), [word]);
		const computer = meant && (await readWhole(fleet, meant.id));
		if (!computer) throw new CommandError('missing', `${word} is not there any more`, '');
		const { publicAddress } = session.platform;
		const text = args.flag('json')
			? JSON.stringify(computerRecord(computer, publicAddress), undefined, 2)
			: plainText(host, known(), computer, publicAddress);
		host.program.stdout.write(`${text}\n`);
		return exitCodes.done;
	});

const more = ['subscription', 'release'] as const;

async function readWhole(
	{ session, read, readStatus, readDetail, current: known }: Fleet,
	id: string,
) {
	// The plan, and whether there is a newer version, only where nobody will miss what that takes.
	const isRoom = session.pace.budgets().other.left.read > more.length;
	await Promise.all([readStatus(id), readDetail(id), ...(isRoom ? more.map(read) : [])]);
	return known().computers.get(id);
}

function plainText(
	{ program, clock }: Host,
	account: AccountState,
	computer: ComputerState,
	publicAddress: (id: string, port: number) => string,
): string {
	const { id, reading } = computer;
	const { hasUnicode } = environmentFrom(program.env);
	const context = plainContext(account, clock.now(), hasUnicode);
	const usage = [
		['CPU', reading.cpu],
		['Memory', reading.memory],
		['Storage', reading.storage],
	] as const;
	const stage = [reading.stage, reading.stageMessage, reading.error].filter(Boolean).join(', ');
	const rows: readonly (readonly [string, string])[] = [
		['Name', reading.name ?? ''],
		['Id', id],
		...detailFacts(account, computer, context).map(
			([label, spans]) => [label, spans.map(([text]) => text).join('')] as const,
		),
		['Stage', stage],
		...usage.map(([label, value]) => [label, value == null ? '' : `${value} %`] as const),
		...(reading.ports ?? []).map(
			({ port, url }) => ['Published', `${port}  ${url ?? publicAddress(id, port)}`] as const,
		),
	];
	return rows
		.filter(([, value]) => value !== '')
		.map(([label, value]) => `${label.padEnd(10)} ${cleanForTerminal(value)}`)
		.join('\n');
}
