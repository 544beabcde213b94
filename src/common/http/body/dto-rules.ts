import { getMetadataStorage, ValidationTypes } from 'class-validator';

type Check = (dto: object) => boolean;

/**
 * A quick look whether an object keeps the class-validator rules of its class. class-validator sorts a class's rules
 * anew for every object, given or not: 9 µs for a completion request. Here that is done once, and a field left out
 * costs next to nothing.
 * @returns a check that is true only if `validateSync` has nothing to say; false says nothing yet
 */
export function quickCheckOf(dtoClass: new () => object): Check {
  const storage = getMetadataStorage();
  const rules = storage.getTargetValidationMetadatas(dtoClass, '', false, false);
  const isPlain = rules.every(
    ({ type, each, validateIf }) =>
      (type === ValidationTypes.CUSTOM_VALIDATION && !each && validateIf === undefined) ||
      type === ValidationTypes.CONDITIONAL_VALIDATION,
  );
  if (!isPlain || rules.length === 0) {
    return () => false;
  }
  const fields = [...new Set(rules.map(({ propertyName }) => propertyName))].map((property) => {
    const own = rules.filter(({ propertyName }) => propertyName === property);
    const conditions = own
      .filter(({ type }) => type === ValidationTypes.CONDITIONAL_VALIDATION)
      .map(({ constraints }) => (constraints as [(dto: object, value: unknown) => boolean])[0]);
    const checks = own.flatMap(({ type, constraints, constraintCls }) =>
      type === ValidationTypes.CUSTOM_VALIDATION
        ? storage
            .getTargetValidatorConstraints(constraintCls)
            .map(({ instance }) => ({ instance, constraints: constraints as unknown[] }))
        : [],
    );
    return { property, conditions, checks };
  });
  return (dto) =>
    fields.every(({ property, conditions, checks }) => {
      const value = (dto as Record<string, unknown>)[property];
      return (
        !conditions.every((condition) => condition(dto, value)) ||
        checks.every(
          ({ instance, constraints }) =>
            instance.validate(value, {
              value,
              constraints,
              property,
              object: dto,
              targetName: dtoClass.name,
            }) === true,
        )
      );
    });
}
