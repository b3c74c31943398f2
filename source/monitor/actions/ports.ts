import { type GlobalId, splitGlobalId } from '../../fleet/computers/global-id.ts';
import { obstacleInPhase, operationRowOf } from '../../fleet/operations/operation-table.ts';
import type { BegunOperations } from '../../operations/question.ts';
import { lastPublicationOf } from '../../store/change-log.ts';
import { accountOfRow, type FleetRow } from '../../store/selectors.ts';
import { keyHint } from '../../views/keys.ts';
import { chosenChoice, rowUnderCursor } from '../../views/look/cursor.ts';
import { showDetail } from '../../views/look/views.ts';
import { outcomeText } from '../../views/phrases/outcome.ts';
import type { ActionContext, Scene } from '../../views/scene.ts';
import { look, sayNoComputer } from './effects.ts';

export function copy({ terminal, say }: ActionContext, text: string, description = text) {
	const isCopied = terminal.copyToClipboard(text);
	say(isCopied ? `Copied ${description}` : 'This terminal has no clipboard access');
}

export function copyLine(context: ActionContext) {
	const chosen = chosenChoice(context.scene());
	if (chosen) copy(context, chosen.id);
}

export function copyPayment(context: ActionContext) {
	const { payment } = context.scene().screen;
	if (payment?.state === 'open') copy(context, payment.url, 'the address of the payment page');
	else context.say(`No payment page yet${keyHint(context.scene(), 'pay', 'opens one', ': ')}`);
}

function chosenRow({ scene, targets }: ActionContext): FleetRow | undefined {
	const seen = scene();
	return targets ? seen.shown.allRows.find(({ id }) => id === targets[0]) : rowUnderCursor(seen);
}

export function copyId(context: ActionContext) {
	const row = chosenRow(context);
	if (row) copy(context, row.computer.id);
	else sayNoComputer(context);
}

const portsOf = ({ computer }: FleetRow) => computer.reading.ports ?? [];

function sayNoPort({ sessions, scene, say }: ActionContext, { account, computer }: FleetRow) {
	const { profile } = sessions.sessionOf(account);
	const mayPublish = !profile.isReadOnly && !scene().operationsState.isLocked;
	const isAllowed = mayPublish && !obstacleInPhase('publish', computer.phase);
	const hint = isAllowed ? keyHint(scene(), 'publish', 'publishes one', ': ') : '';
	say(`No published port${hint}`);
}

export function copyAddress(context: ActionContext) {
	const row = chosenRow(context);
	if (!row) return sayNoComputer(context);
	const { account, computer } = row;
	const state = accountOfRow(context.scene().accounts, row)?.state;
	const latestPort = state && lastPublicationOf(state, computer.id)?.wish.port;
	const ports = portsOf(row);
	const port = ports.find(published => published.port === latestPort) ?? ports[0];
	if (!port) return sayNoPort(context, row);
	const { platform } = context.sessions.sessionOf(account);
	copy(context, port.url ?? platform.publicAddress(computer.id, port.port));
}

export function checkPorts(context: ActionContext) {
	const { sessions, targets, say } = context;
	const row = chosenRow(context);
	if (!row) return sayNoComputer(context);
	const ports = portsOf(row);
	if (ports.length === 0) return sayNoPort(context, row);
	const { operations } = sessions;
	const { profile } = sessions.sessionOf(row.account);
	if (profile.isReadOnly || operations.state().isLocked)
		return say(
			'Not checked: a check can wake a computer, which is refused while locked or read-only',
		);
	for (const { port } of ports) operations.checkPort(row.id, port);
	look(context, targets ? showDetail(row.id) : screen => ({ ...screen, isDetailOpen: true }));
}

type Parts = Pick<ActionContext, 'screenStore' | 'sessions' | 'keyState' | 'say'>;

export function awaitPortCheck(
	context: Parts,
	{ operations: [first, ...others], ids: [id] }: BegunOperations,
) {
	if (!first || id === undefined || others.length > 0) return;
	const { spec } = first;
	if (operationRowOf(spec.operation).goal.reaches !== 'published') return;
	const earlier = checkOf(context, id, spec.port);
	context.keyState.awaitedChecks.set(spec.key, { id, spec, earlier });
}

const checkOf = ({ sessions }: Parts, id: GlobalId, port: number | undefined) =>
	sessions.operations.state().portChecks.find(check => check.id === id && check.port === port);

export function sayCheckedPorts(context: Parts, scene: Pick<Scene, 'actions'>) {
	const { screenStore, sessions, keyState, say } = context;
	for (const { id, spec, earlier } of keyState.awaitedChecks.values()) {
		const { key, computer = '', port = 0 } = spec;
		const check = checkOf(context, id, port);
		if (!check || check === earlier || check.state === 'asking') continue;
		keyState.awaitedChecks.delete(key);
		const { account } = splitGlobalId(id);
		const { reading } =
			sessions.store.getState().accounts.get(account)?.computers.get(computer) ?? {};
		const published = reading?.ports?.find(each => each.port === port);
		// The key copies an address of the computer under the cursor.
		const { cursor } = screenStore.getState();
		const isCursorHere = !cursor || cursor.id === id;
		say(
			{
				what: `${outcomeText({ ...spec, stage: 'done' })}: `,
				why: published?.url ?? sessions.sessionOf(account).platform.publicAddress(computer, port),
				advice: check.state === 'silent' ? ' (nothing answers yet)' : '',
				hint: isCursorHere ? keyHint(scene, 'copyAddress', 'copies the address', '; ') : '',
			},
			key,
		);
	}
}
