const stars = (
	'atlas borealis cygnus draco eridanus fornax gemini hydra indus jabbah kochab lyra mira norma ' +
	'orion pavo quaoar rigel sirius tucana unuk vega wezen xuange yildun zosma ' +
	'altair bellatrix capella deneb enif fomalhaut grus hamal izar juno kraz lepus mimosa nashira ' +
	'octans perseus rastaban scutum tarazed ursa volans zaurak'
).split(' ');

/** A star for each of the first few dozen, then the stars again with a number. */
export function nameOf(number: number): string {
	const round = Math.floor(number / stars.length);
	const star = stars[number % stars.length] ?? '';
	return round === 0 ? star : `${star}-${round + 1}`;
}
