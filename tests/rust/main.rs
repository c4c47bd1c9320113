//! A runtime in Rust: what bindgen makes of smclient.h is enough to have a module compiled, loaded and called.
#![allow(non_upper_case_globals, non_camel_case_types, non_snake_case, dead_code)]
include!(env!("BINDINGS"));

use std::ffi::CStr;
use std::mem::{size_of, transmute, zeroed};
use std::ptr::{null, null_mut};

const MODULE: &[u8] = b"declare void @collect()
define i64 @twice(i64 %n, ptr addrspace(1) %p) gc \"statepoint-example\" {
  call void @collect()
  %r = shl i64 %n, 1
  store i64 %r, ptr addrspace(1) %p
  ret i64 %r
}
";

extern "C" fn collect() {}

/// What the code calls.
unsafe extern "C" fn resolve(_user: *mut std::os::raw::c_void, name: *const std::os::raw::c_char) -> *mut std::os::raw::c_void {
    if CStr::from_ptr(name).to_bytes() == b"collect" { collect as *mut _ } else { null_mut() }
}

unsafe fn check(result: sm_result, err: &sm_error) {
    assert_eq!(result, sm_result_SM_SUCCESS, "{}", CStr::from_ptr(err.message.as_ptr()).to_string_lossy());
}

fn main() {
    unsafe {
        assert_eq!(sm_version(), SM_VERSION as i32);
        let mut err: sm_error = zeroed();
        let client = sm_client_new(null(), &mut err);
        assert!(!client.is_null());
        let option = b"safepoints=none\0";
        let options = [option.as_ptr() as *const std::os::raw::c_char, null()];
        let mut request: sm_request = zeroed();
        request.size = size_of::<sm_request>() as _;
        request.module = MODULE.as_ptr() as *const _;
        request.module_len = MODULE.len() as _;
        request.options = options.as_ptr();
        let mut answer: *mut sm_answer = null_mut();
        check(sm_compile(client, &request, &mut answer, &mut err), &err);
        let map = CStr::from_ptr(sm_answer_stackmap(answer, null_mut())).to_string_lossy();
        assert!(map.contains("\"callee\":\"collect\""), "{}", map);

        let mut loading: sm_loader_options = zeroed();
        loading.size = size_of::<sm_loader_options>() as _;
        loading.resolve = Some(resolve);
        let loader = sm_loader_new(&loading, &mut err);
        let mut len = 0;
        let bytes = sm_answer_object(answer, &mut len);
        let mut object: *mut sm_object = null_mut();
        check(sm_load(loader, bytes, len, b"twice.ll\0".as_ptr() as *const _, &mut object, &mut err), &err);
        let twice: extern "C" fn(i64, *mut i64) -> i64 = transmute(sm_object_symbol(object, b"twice\0".as_ptr() as *const _));
        let mut place = 0i64;
        assert_eq!((twice(21, &mut place), place), (42, 42));
        sm_answer_free(answer);
        sm_loader_free(loader);
        sm_client_free(client);
    }
    println!("42");
}
