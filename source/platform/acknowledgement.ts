import { flagFrom, textFrom, told } from './decode.ts';
import { contentOf } from './decode-envelope.ts';
import type { Answer } from './exchange.ts';
import { fieldsFrom, isObject } from './fields.ts';
import { PlatformError, unreadable } from './platform-error.ts';
import { isWebPage } from './readable.ts';

/** What an acknowledgement may say beside that it is one. */
export type Acknowledgement = { message?: string; version?: string; hasStarted?: boolean };

/** An answer of success acknowledges, whatever it holds, unless something else has answered. */
export function acknowledgementFrom(answer: Answer): Acknowledgement {
	if (isWebPage(answer)) throw strangersPage();
	const { value } = contentOf(answer.json);
	if (!isObject(value)) return {};
	const fields = fieldsFrom(value, '');
	return told<Acknowledgement>({
		message: textFrom(fields.get('message')) ?? undefined,
		version: textFrom(fields.get('targetversion')) ?? undefined,
		hasStarted: flagFrom(fields.get('started')),
	});
}

// It tells nothing of whether the platform ever heard of it.
function strangersPage(): PlatformError {
	const { failure } = unreadable('', 'JSON, got a web page');
	return new PlatformError({ ...failure, isOutcomeUnknown: true });
}
