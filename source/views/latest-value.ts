import { type RefObject, useLayoutEffect, useRef } from 'react';

/** A listener of the first render that used its variables would keep the whole fleet of that time in memory. */
export function useLatest<T>(value: T): Readonly<RefObject<T>> {
	const latest = useRef(value);
	// A layout effect runs before the next key can arrive.
	useLayoutEffect(() => {
		latest.current = value;
	});
	return latest;
}
