import {
	computerName,
	omittedPortCount,
	type PublishedPort,
} from '../../fleet/computers/computer.ts';
import { CommandError, exitCodes, UsageError } from '../../foundation/error.ts';
import type { Failure } from '../../foundation/failure.ts';
import { type JsonFields, type JsonRecord, jsonText } from '../../foundation/json.ts';
import { type Line, line } from '../../lines/line.ts';
import { spacedAgeText } from '../../lines/time-text.ts';
import { portFrom } from '../../operations/question-wording.ts';
import { accountsForWords, findComputer } from '../../script/choose-computers.ts';
import { type Fleet, type Fleets, recordOf, withFleets } from '../../script/fleet.ts';
import type { ParsedArgs } from '../../script/parsed-args.ts';
import { type Printer, printed, printerFor, printRecord, sceneOf } from '../../script/print.ts';
import { usesKept } from '../../script/read-accounts.ts';
import { errorFromFailure, errorText } from '../../script/stderr.ts';
import type { Host } from '../../session/host.ts';
import { lastPublicationOf } from '../../store/change-log.ts';
import { rowsOf } from '../../store/selectors.ts';
import type { ComputerState } from '../../store/state.ts';
import { detail } from '../../views/detail.ts';
import { cannotReadRecordText } from '../../views/phrases/reads.ts';
import { sceneOfRows } from '../../views/read-scene.ts';
import { computerFields, withAccount } from '../../views/records.ts';
import { type Command, onlyArgument } from '../command.ts';
import { severalReadingOptions } from '../options.ts';

export const show: Command = {
	name: 'show',
	isTool: true,
	summary: 'show everything about a computer',
	argumentUsage: 'ID',
	description: 'With several accounts, the account may stand in front of the computer: lab/atlas.',
	options: severalReadingOptions,
	examples: ['crowsnest show atlas', 'crowsnest show atlas --json | jq -r .status'],
	json: { form: 'object', fields: computerFields, formForSeveral: 'object' },
	run(host, args) {
		const word = onlyArgument(args, 'show', 'one id or name');
		const { accounts, words } = accountsForWords(host, args, [word]);
		const idOrName = words[0]?.idOrName ?? word;
		return withFleets(host, args, accounts, fleets => showComputer(host, args, fleets, idOrName));
	},
};

async function showComputer(
	host: Host,
	args: ParsedArgs,
	fleets: Fleets,
	idOrName: string,
): Promise<number> {
	const { stdout, stderr } = host.program;
	const isJson = args.flag('json');
	const kept = new Set<Fleet>();
	let code: number = exitCodes.done;
	const keeps = (fleet: Fleet, error: CommandError) => {
		const isKept = usesKept(host, args, fleet, error);
		if (isKept) kept.add(fleet);
		return isKept;
	};
	const { fleet, computer: found } = await findComputer(fleets, idOrName, (each, error) => {
		code = exitCodes.partial;
		if (keeps(each, error)) return false;
		if (each.label) stderr.write(errorText(error, isJson, each.label));
		return true;
	});
	if (!kept.has(fleet)) {
		const failure = await readAllDetails(fleet, found.id);
		const attempt = cannotReadRecordText(computerName(found));
		if (failure) keeps(fleet, errorFromFailure(attempt, failure));
	}
	if (kept.has(fleet)) code = exitCodes.failed;
	const computer = fleet.accountNow().computers.get(found.id);
	if (!computer) throw new CommandError('missing', `${idOrName} no longer exists`, '');
	const printer = printerFor(host.program, args);
	const lines = computerLines(fleet, computer, printer);
	stdout.write(isJson ? jsonText(recordOf(computer, fleet)) : printed(lines, printer));
	return code;
}

const accountReads = ['subscription', 'release'] as const;

async function readAllDetails(
	{ session, read, readStatus, readDetail }: Fleet,
	id: string,
): Promise<Failure | undefined> {
	// These reads only add details.
	const hasRoom = session.limiter.slots().other.free.read > accountReads.length;
	const reads = hasRoom ? accountReads.map(read) : [];
	const [status, detail] = await Promise.all([readStatus(id), readDetail(id), ...reads]);
	return [status, detail].find(failure => failure && failure.kind !== 'missing');
}

/** Without the addresses that are shared with a token. */
function computerLines(fleet: Fleet, computer: ComputerState, { theme }: Printer): readonly Line[] {
	const { session, label } = fleet;
	const ports = computer.reading.ports?.map(port => ({ ...port, shareToken: undefined }));
	const reading = ports ? { ...computer.reading, ports } : computer.reading;
	const rows = rowsOf(session.account, fleet.accountNow(), [{ ...computer, reading }]);
	const scene = {
		...sceneOfRows(sceneOf([fleet], { theme, width: Number.POSITIVE_INFINITY }), rows),
		addressesOf: () => session.platform,
	};
	const [left, right = []] = detail.title(scene);
	return [
		...(label === undefined ? [] : [line(['Account ', 'faint'], [label])]),
		line(...left, ...right),
		...detail.lines(scene),
	];
}

const addressFields = {
	id: 'id of the computer',
	name: 'name of the computer',
	port: 'published port',
	url: 'public address of the port',
	shareUrl: 'address that is shared with a token, if there is one',
} as const satisfies JsonFields;

export const open: Command = {
	name: 'open',
	summary: 'print the public address of a port',
	description:
		'Without a port, the only published port is taken.\n' +
		'Exits 1 when the port is not published. If the platform does not report ports, the journal of this\n' +
		'host says whether crowsnest has published it.',
	argumentUsage: 'ID [PORT]',
	options: [
		{ name: 'share', help: 'print the address that is shared with a token' },
		...severalReadingOptions,
	],
	examples: [
		'crowsnest open atlas',
		'crowsnest open atlas 8080',
		'curl "$(crowsnest open atlas 8080)"',
	],
	json: { form: 'object', fields: addressFields, formForSeveral: 'object' },
	run(host, args) {
		const [word, portWord, ...extraWords] = args.positionals;
		const wantedPort = portFrom(portWord ?? '');
		const isWrongPort = portWord !== undefined && wantedPort === undefined;
		if (word === undefined || isWrongPort || extraWords.length > 0)
			throw new UsageError('open takes an id or name, and a port from 1 to 65535');
		const { accounts, words } = accountsForWords(host, args, [word]);
		return withFleets(host, args, accounts, async fleets => {
			const { fleet, computer } = await findComputer(fleets, words[0]?.idOrName ?? word);
			const { shareToken, ...published } = await readPublishedPort(fleet, computer, wantedPort);
			const { publicAddress, shareAddress } = fleet.session.platform;
			const { port, url = publicAddress(computer.id, port) } = published;
			const name = computerName(computer);
			const shareUrl = shareToken === undefined ? null : shareAddress(shareToken);
			const address = args.flag('share') ? shareUrl : url;
			if (address === null)
				throw notPublishedError(`Port ${port} of ${name} has no token that shares it`);
			const record = { id: computer.id, name, port, url, shareUrl } satisfies JsonRecord<
				typeof addressFields
			>;
			printRecord(host, args, withAccount(record, fleet.label), address);
			return exitCodes.done;
		});
	},
};

// The snapshot may be old, and has no share tokens, so the ports are read again.
async function readPublishedPort(
	{ accountNow, clock, readDetail, session, notify }: Fleet,
	computer: ComputerState,
	wanted: number | undefined,
): Promise<PublishedPort> {
	const { id } = computer;
	const name = computerName(computer);
	if (!accountNow().listFields.has('ports')) {
		const failure = await readDetail(id);
		if (failure) throw errorFromFailure(cannotReadRecordText(name), failure);
	}
	const ports = accountNow().computers.get(id)?.reading.ports;
	const port = wanted ?? onlyPortOf(name, ports);
	const matchingPort = ports?.find(publishedPort => publishedPort.port === port);
	if (matchingPort) return matchingPort;
	if (!ports || omittedPortCount({ ports }) > 0) {
		const published = lastPublicationOf(accountNow(), id, port);
		if (published) {
			const age = spacedAgeText(Math.max(0, clock.now() - published.at));
			notify(`From the journal of this host: ${name} published ${port} ${age} ago.`);
			return { port };
		}
		const address = session.platform.publicAddress(id, port);
		const advice = `If the port is published, its address is ${address}`;
		const message = ports
			? `${name} has more published ports than crowsnest reads`
			: `The platform does not report the published ports of ${name}`;
		throw notPublishedError(message, advice);
	}
	const portNumbers = ports.map(publishedPort => publishedPort.port).join(' ');
	const advice = `Published ports: ${portNumbers || 'none'}`;
	throw notPublishedError(`Port ${port} of ${name} is not published`, advice);
}

function onlyPortOf(name: string, ports: readonly PublishedPort[] | null | undefined): number {
	if (!ports) throw new UsageError(`The platform does not report ports: name the port of ${name}`);
	const [only, ...others] = ports.map(({ port }) => port);
	if (only === undefined) throw notPublishedError(`${name} publishes no port`);
	if (others.length === 0) return only;
	const all = [only, ...others].join(', ');
	throw new UsageError(`${name} publishes several ports. Name one: ${all}`);
}

const notPublishedError = (message: string, advice = '') =>
	new CommandError('not-published', message, advice);
