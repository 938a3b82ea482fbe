// Calls the C library from Rust by its foreign function interface.
//
// usage: test_library SAMPLES

use std::ffi::{c_char, c_int, c_void, CStr};

#[repr(C)]
struct Context {
    _opaque: [u8; 0],
}

#[repr(C)]
struct Outcome {
    _opaque: [u8; 0],
}

extern "C" {
    fn quietzone_abi_version() -> i32;
    fn quietzone_context_new() -> *mut Context;
    fn quietzone_context_free(context: *mut Context);
    fn quietzone_decode_bytes(
        context: *mut Context,
        bytes: *const c_void,
        size: usize,
        result: *mut *mut Outcome,
    ) -> c_int;
    fn quietzone_result_free(result: *mut Outcome);
    fn quietzone_result_count(result: *const Outcome) -> usize;
    fn quietzone_result_message(result: *const Outcome) -> *const c_char;
    fn quietzone_symbol_text(result: *const Outcome, index: usize, size: *mut usize) -> *const c_char;
    fn quietzone_symbol_format(result: *const Outcome, index: usize) -> *const c_char;
    fn quietzone_symbol_corners(result: *const Outcome, index: usize, corners: *mut f64) -> c_int;
}

struct Decoder(*mut Context);

// A context may be used by any thread, see quietzone.h.
unsafe impl Send for Decoder {}
unsafe impl Sync for Decoder {}

impl Drop for Decoder {
    fn drop(&mut self) {
        unsafe { quietzone_context_free(self.0) }
    }
}

fn text(pointer: *const c_char) -> String {
    assert!(!pointer.is_null());
    unsafe { CStr::from_ptr(pointer) }.to_str().expect("UTF-8").to_string()
}

impl Decoder {
    fn decode(&self, bytes: &[u8]) -> Result<Vec<(String, String, [f64; 8])>, String> {
        let mut result = std::ptr::null_mut();
        let status = unsafe { quietzone_decode_bytes(self.0, bytes.as_ptr().cast(), bytes.len(), &mut result) };
        let answer = if status == 0 {
            Ok((0..unsafe { quietzone_result_count(result) })
                .map(|index| unsafe {
                    let mut corners = [0.0; 8];
                    assert_eq!(quietzone_symbol_corners(result, index, corners.as_mut_ptr()), 0);
                    let content = quietzone_symbol_text(result, index, std::ptr::null_mut());
                    (text(quietzone_symbol_format(result, index)), text(content), corners)
                })
                .collect())
        } else {
            Err(text(unsafe { quietzone_result_message(result) }))
        };
        unsafe { quietzone_result_free(result) };
        answer
    }
}

fn main() {
    let samples = std::env::args().nth(1).expect("usage: test_library SAMPLES");
    let bytes = std::fs::read(format!("{samples}/qr.png")).expect("a sample");
    assert_eq!(unsafe { quietzone_abi_version() }, 0);
    let decoder = Decoder(unsafe { quietzone_context_new() });
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let symbols = decoder.decode(&bytes).expect("a picture");
                assert_eq!(symbols.len(), 1);
                let (format, content, corners) = &symbols[0];
                assert_eq!((format.as_str(), content.as_str()), ("qr_code", "https://example.org/quietzone"));
                assert_eq!(corners.map(f64::round), [16.0, 16.0, 116.0, 16.0, 116.0, 116.0, 16.0, 116.0]);
            });
        }
    });
    assert_eq!(decoder.decode(b"").unwrap_err(), "picture: is empty");
    println!("Rust: passed");
}
