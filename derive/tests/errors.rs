//! What the compiler says about types that have no partial form.

#[test]
fn types_without_a_form_are_explained() {
    let tests = trybuild::TestCases::new();
    tests.compile_fail("tests/ui/*.rs");
}
