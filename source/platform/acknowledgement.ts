import { fieldsFrom, flagFrom, isObject, textFrom, told } from './decode.ts';
import { contentOf } from './decode-envelope.ts';
import type { Answer } from './exchange.ts';
import type { Acknowledgement } from './platform.ts';
import { PlatformError } from './platform-error.ts';
import { readable } from './readable.ts';

/** An answer of success acknowledges, whatever it holds, unless something else has answered. */
export function acknowledgementFrom(answer: Answer): Acknowledgement {
	if (answer.text.trim() === '') return {};
	const { value } = contentOf(jsonOrUnknown(answer));
	if (!isObject(value)) return {};
	const fields = fieldsFrom(value, '');
	return told<Acknowledgement>({
		message: textFrom(fields.get('message')) ?? undefined,
		version: textFrom(fields.get('targetversion')) ?? undefined,
		hasStarted: flagFrom(fields.get('started')),
	});
}

// A page from a proxy tells nothing of whether the platform ever heard of it.
function jsonOrUnknown(answer: Answer): unknown {
	try {
		return readable(answer);
	} catch (error) {
		if (!(error instanceof PlatformError)) throw error;
		throw new PlatformError({ ...error.failure, isOutcomeUnknown: true });
	}
}
