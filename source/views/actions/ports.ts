import { type GlobalId, splitGlobalId } from '../../fleet/computers/global-id.ts';
import type { OperationSpec } from '../../fleet/operations/operation.ts';
import { allowanceInPhase, operationRowOf } from '../../fleet/operations/operation-table.ts';
import type { PortCheck } from '../../operations/operations-state.ts';
import type { BegunOperations } from '../../operations/question.ts';
import { lastPublishedPortOf } from '../../store/change-log.ts';
import { accountOfRow } from '../../store/opened-accounts.ts';
import type { ComputerState } from '../../store/state.ts';
import { chosenChoice } from '../look/choice.ts';
import { rowUnderCursor } from '../look/cursor.ts';
import { showDetail } from '../look/views.ts';
import { outcomeText } from '../phrases/outcome.ts';
import type { ActionContext } from '../scene.ts';
import { change } from './effects.ts';

/** What a notice about a check works with, which no key has caused. */
type Parts = Pick<ActionContext, 'screenStore' | 'sessions' | 'keyState' | 'say'>;

export function computerOf(
	{ sessions }: Pick<ActionContext, 'sessions'>,
	globalId: GlobalId,
): ComputerState | undefined {
	const { account, id } = splitGlobalId(globalId);
	return sessions.store.getState().accounts.get(account)?.computers.get(id);
}

/** Copies a text, and says so. */
export function copy({ terminal, say }: ActionContext, text: string, description = text) {
	const isCopied = terminal.copyToClipboard(text);
	say(isCopied ? `Copied ${description}` : 'This terminal has no clipboard access');
}

export function copyId(context: ActionContext) {
	const id = idOf(context);
	if (id !== undefined) copy(context, splitGlobalId(id).id);
}

export function copyLine(context: ActionContext) {
	const chosen = chosenChoice(context.scene());
	if (chosen) copy(context, chosen.id);
}

export function copyPayment(context: ActionContext) {
	const { payment } = context.scene().screen;
	if (payment?.state === 'open') copy(context, payment.url, 'the address of the payment page');
	else context.say('No payment page yet: o opens one');
}

/** Copies the public address of the port that was published last. */
export function copyAddress(context: ActionContext) {
	const { sessions, scene, say } = context;
	const globalId = idOf(context);
	if (globalId === undefined) return;
	const { account, id } = splitGlobalId(globalId);
	const ports = portsOf(context, globalId);
	const state = accountOfRow(scene().accounts, { account })?.state;
	const latestPort = state && lastPublishedPortOf(state, id);
	const port = ports.find(published => published.port === latestPort) ?? ports[0];
	if (!port) return say(noPortTextFor(context, globalId));
	const { platform } = sessions.sessionOf(account);
	copy(context, port.url ?? platform.publicAddress(id, port.port));
}

/** Checks the ports of a computer, and shows its details, which have the results. */
export function checkPorts(context: ActionContext) {
	const { sessions, targets, say } = context;
	const id = idOf(context);
	if (id === undefined) return say(noPortText);
	const ports = portsOf(context, id);
	if (ports.length === 0) return say(noPortTextFor(context, id));
	const { operations } = sessions;
	const { profile } = sessions.sessionOf(splitGlobalId(id).account);
	if (profile.isReadOnly || operations.state().isLocked)
		return say(
			'Not checked: a check can wake a computer, which is refused while locked or read-only',
		);
	for (const { port } of ports) operations.checkPort(id, port);
	change(context, targets ? showDetail(id) : screen => ({ ...screen, isDetailOpen: true }));
}

const idOf = ({ scene, targets }: ActionContext) =>
	targets ? targets[0] : rowUnderCursor(scene())?.id;

const portsOf = (context: Pick<ActionContext, 'sessions'>, id: GlobalId) =>
	computerOf(context, id)?.reading.ports ?? [];

const noPortText = 'No published port';

/** Says that a computer has no port. The key that publishes one is named only where that key works. */
function noPortTextFor(context: ActionContext, id: GlobalId): string {
	const { sessions } = context;
	const phase = computerOf(context, id)?.phase ?? 'unknown';
	const { profile } = sessions.sessionOf(splitGlobalId(id).account);
	const mayPublish = !profile.isReadOnly && !sessions.operations.state().isLocked;
	const isAllowed = mayPublish && allowanceInPhase('publish', phase).isAllowed;
	return isAllowed ? `${noPortText}: p publishes one` : noPortText;
}

export function awaitPortCheck(
	context: ActionContext,
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

export function showCheckedPorts(context: Parts) {
	const { awaitedChecks } = context.keyState;
	for (const { id, spec, earlier } of awaitedChecks.values()) {
		const check = checkOf(context, id, spec.port);
		if (!check || check === earlier || check.state === 'asking') continue;
		awaitedChecks.delete(spec.key);
		showAddress(context, id, spec, check);
	}
}

function showAddress(context: Parts, id: GlobalId, spec: OperationSpec, { state }: PortCheck) {
	const { screenStore, sessions, say } = context;
	const { computer = '', port = 0 } = spec;
	const published = portsOf(context, id).find(each => each.port === port);
	const { platform } = sessions.sessionOf(splitGlobalId(id).account);
	// Y copies an address of the computer under the cursor, so the hint is shown only if the cursor is on the
	// computer with the new port.
	const { cursor } = screenStore.getState();
	const isCursorHere = !cursor || cursor.id === id;
	say(
		{
			what: `${outcomeText({ ...spec, stage: 'done' })}: `,
			why: published?.url ?? platform.publicAddress(computer, port),
			advice: state === 'silent' ? ' (nothing answers yet)' : '',
			hint: isCursorHere ? '; Y copies the address' : '',
		},
		spec.key,
	);
}
