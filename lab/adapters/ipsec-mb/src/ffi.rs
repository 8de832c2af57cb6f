//! The functions and structures of libIPSec_MB that the worker uses, as in the binary interface
//! of versions 1.3, 1.5 and 2.0.
#![allow(unsafe_code)]

use std::cell::RefCell;
use std::ffi::{c_char, c_int, c_void};
use std::mem::{offset_of, size_of};
use std::ptr;

use touchstone_worker::{Failure, Shared, symbols, text};

symbols! {
    /// The functions that the shared object exports. The other functions are in the
    /// [`Manager`].
    struct Api {
        alloc_mb_mgr: fn(u64) -> *mut Manager;
        free_mb_mgr, init_mb_mgr_avx2: fn(*mut Manager) -> ();
        init_mb_mgr_auto: fn(*mut Manager, *mut c_int) -> ();
        imb_get_version_str: fn() -> *const c_char;
        imb_get_errno: fn(*mut Manager) -> c_int;
        imb_get_strerror: fn(c_int) -> *const c_char;
        // Since version 1.5: writes the session's words into a job, by which a burst finds the
        // functions for its jobs.
        imb_set_session: fn(*mut Manager, *mut Job) -> u32, ?;
    }
}

/// `IMB_JOB`: one message and what to compute from it. In versions 1.5 and 2.0, the fields
/// `suite_id` and `session_id` follow; they are the same for all jobs of one algorithm, key
/// size and direction.
#[repr(C)]
pub(crate) struct Job {
    pub(crate) enc_keys: *const c_void,
    pub(crate) dec_keys: *const c_void,
    pub(crate) key_bytes: u64,
    pub(crate) src: *const u8,
    pub(crate) dst: *mut u8,
    pub(crate) cipher_start: u64,
    pub(crate) cipher_bytes: u64,
    pub(crate) hash_start: u64,
    pub(crate) hash_bytes: u64,
    pub(crate) iv: *const u8,
    pub(crate) iv_bytes: u64,
    pub(crate) tag: *mut u8,
    pub(crate) tag_bytes: u64,
    /// The union of the fields of all hash algorithms: three words.
    pub(crate) hash_fields: [*const c_void; 3],
    pub(crate) status: u32,
    pub(crate) cipher_mode: u32,
    pub(crate) direction: u32,
    pub(crate) hash: u32,
    pub(crate) order: u32,
    pub(crate) user_data: [*mut c_void; 2],
    pub(crate) own_functions: [*const c_void; 2],
    pub(crate) sgl_state: u32,
    pub(crate) cipher_fields: *mut c_void,
}

const _: () = {
    assert!(size_of::<Job>() == 200);
    assert!(offset_of!(Job, hash_fields) == 104);
    assert!(offset_of!(Job, status) == 128);
    assert!(offset_of!(Job, user_data) == 152);
    assert!(offset_of!(Job, sgl_state) == 184);
    assert!(offset_of!(Job, cipher_fields) == 192);
};

pub(crate) type KeyExpansion = unsafe extern "C" fn(*const u8, *mut c_void, *mut c_void);
pub(crate) type SubKeys = unsafe extern "C" fn(*const c_void, *mut c_void, *mut c_void);
pub(crate) type OneBlock = unsafe extern "C" fn(*const u8, *mut c_void);
pub(crate) type WholeHash = unsafe extern "C" fn(*const u8, u64, *mut u8);
pub(crate) type GcmKey = unsafe extern "C" fn(*const u8, *mut c_void);
pub(crate) type Gcm = unsafe extern "C" fn(
    *const c_void,
    *mut c_void,
    *mut u8,
    *const u8,
    u64,
    *const u8,
    *const u8,
    u64,
    *mut u8,
    u64,
);
type OneJob = unsafe extern "C" fn(*mut Manager) -> *mut Job;
type Burst = unsafe extern "C" fn(*mut Manager, u32, *mut *mut Job) -> u32;
type CipherBurst = unsafe extern "C" fn(*mut Manager, *mut Job, u32, u32, u32, u32) -> u32;
type HashBurst = unsafe extern "C" fn(*mut Manager, *mut Job, u32, u32) -> u32;
pub(crate) type GmacData = unsafe extern "C" fn(*const c_void, *mut c_void, *const u8, u64);
pub(crate) type GmacTag = unsafe extern "C" fn(*const c_void, *mut c_void, *mut u8, u64);

/// The beginning of `IMB_MGR`: settings, and the functions for the selected architecture. A
/// field whose name ends in `_` stands for functions that the worker does not call.
#[repr(C)]
pub(crate) struct Manager {
    flags: u64,
    pub(crate) features: u64,
    reserved: [u64; 5],
    pub(crate) used_arch: u32,
    errno: c_int,
    get_next_job: OneJob,
    submit_job: OneJob,
    submit_nocheck_: usize,
    completed_: usize,
    flush_job: OneJob,
    queue_size_: usize,
    /// The functions for keys of 128, 192 and 256 bits.
    pub(crate) aes_keys: [KeyExpansion; 3],
    pub(crate) cmac_subkeys_128: SubKeys,
    xcbc_: usize,
    pub(crate) des_key: unsafe extern "C" fn(*mut u64, *const u8) -> c_int,
    /// The functions for SHA-1, SHA-224, SHA-256, SHA-384, SHA-512 and MD5.
    pub(crate) one_block: [OneBlock; 6],
    /// The functions for SHA-1, SHA-224, SHA-256, SHA-384 and SHA-512.
    pub(crate) whole: [WholeHash; 5],
    cfb_: usize,
    /// The functions for keys of 128, 192 and 256 bits.
    pub(crate) gcm_encrypt: [Gcm; 3],
    pub(crate) gcm_decrypt: [Gcm; 3],
    gcm_pieces_: [usize; 15],
    gcm_precomputation_: [usize; 3],
    pub(crate) gcm_key: [GcmKey; 3],
    others_: [usize; 31],
    /// The functions for keys of 128, 192 and 256 bits: one sets the nonce, one takes a piece
    /// of data, one writes the tag.
    pub(crate) gmac_nonce: [GmacData; 3],
    pub(crate) gmac_data: [GmacData; 3],
    pub(crate) gmac_tag: [GmacTag; 3],
    kasumi_: [usize; 2],
    pub(crate) cmac_subkeys_256: SubKeys,
    more_: [usize; 17],
    get_next_burst: Burst,
    submit_burst: Burst,
    submit_burst_nocheck_: usize,
    flush_burst: Burst,
    submit_cipher_burst: CipherBurst,
    submit_cipher_burst_nocheck_: usize,
    submit_hash_burst: HashBurst,
}

const _: () = {
    assert!(offset_of!(Manager, get_next_job) == 64);
    assert!(offset_of!(Manager, aes_keys) == 112);
    assert!(offset_of!(Manager, des_key) == 152);
    assert!(offset_of!(Manager, whole) == 208);
    assert!(offset_of!(Manager, gcm_encrypt) == 256);
    assert!(offset_of!(Manager, gcm_key) == 448);
    assert!(offset_of!(Manager, gmac_nonce) == 720);
    assert!(offset_of!(Manager, cmac_subkeys_256) == 808);
    assert!(offset_of!(Manager, get_next_burst) == 952);
    assert!(offset_of!(Manager, submit_hash_burst) == 1000);
};

/// A loaded libIPSec_MB.
#[derive(Clone)]
pub(crate) struct IpsecMb {
    pub(crate) api: Api,
    pub(crate) path: String,
    pub(crate) version: String,
    /// The architecture for which managers are initialised.
    pub(crate) arch: &'static str,
    avx2: bool,
    layout: &'static Layout,
}

/// The properties in which the known versions of the interface differ.
#[derive(Debug)]
struct Layout {
    version: &'static str,
    /// The names of the architectures, indexed by the number in `IMB_ARCH`.
    architectures: &'static [&'static str],
    /// The flag `IMB_FLAG_GFNI_OFF`.
    without_gfni: u64,
    /// The number of 64-bit words that follow a [`Job`].
    session: usize,
}

const LAYOUTS: [Layout; 3] = [
    Layout {
        version: "1.3.",
        architectures: &["none", "noaesni", "sse", "avx", "avx2", "avx512"],
        without_gfni: 1 << 2,
        session: 0,
    },
    Layout {
        version: "1.5.",
        architectures: &["none", "noaesni", "sse", "avx", "avx2", "avx512"],
        without_gfni: 1 << 2,
        session: 5,
    },
    Layout {
        version: "2.0.",
        architectures: &["none", "sse", "avx2", "avx512"],
        without_gfni: 1 << 1,
        session: 2,
    },
];

impl IpsecMb {
    /// Loads libIPSec_MB and makes a manager for this thread.
    pub(crate) fn load(path: &str) -> Result<Self, String> {
        let avx2 = match std::env::var("TOUCHSTONE_IPSEC_MB").as_deref() {
            Err(_) | Ok("") => false,
            Ok("avx2") => true,
            Ok(other) => return Err(format!("TOUCHSTONE_IPSEC_MB is {other:?}; it may be avx2")),
        };
        if !cfg!(target_arch = "x86_64") {
            return Err("IPsec-MB's layout is known here for x86-64 only".into());
        }
        let shared = Shared::open(path, &["libIPSec_MB.so.2", "libIPSec_MB.so.1"])?;
        let api = Api::load(&shared)?;
        // SAFETY: the function takes no arguments and returns a static string.
        let version = unsafe { text((api.imb_get_version_str)()) }.unwrap_or_default();
        // The versions of one soname differ in the size of a job. With a wrong size, the
        // library would write past the end of a job, so an unknown version is refused.
        let Some(layout) = LAYOUTS.iter().find(|l| version.starts_with(l.version)) else {
            return Err(format!(
                "IPsec-MB {version}: this worker knows the job layouts of 1.3, 1.5 and 2.0 only"
            ));
        };
        let mut found = Self {
            api,
            path: shared.path,
            version,
            arch: "",
            avx2,
            layout,
        };
        let manager = found.manager().map_err(|failure| failure.to_string())?;
        let arch = manager.get().used_arch as usize;
        found.arch = layout.architectures.get(arch).unwrap_or(&"unknown");
        Ok(found)
    }

    /// Returns this thread's manager. The first call makes the manager.
    pub(crate) fn manager(&self) -> Result<Handle, Failure> {
        thread_local! {
            static MINE: RefCell<Option<Owned>> = const { RefCell::new(None) };
        }
        MINE.with_borrow_mut(|mine| {
            if mine.is_none() {
                *mine = Some(self.make()?);
            }
            let manager = mine.as_ref().map_or(ptr::null_mut(), |owned| owned.manager);
            Ok(Handle {
                api: self.api,
                session: self.layout.session,
                manager,
            })
        })
    }

    fn make(&self) -> Result<Owned, Failure> {
        let api = self.api;
        // SAFETY: the manager is new, or NULL if memory is exhausted. It is initialised before
        // any other use. `arch` takes an enumeration.
        unsafe {
            let manager = (api.alloc_mb_mgr)(if self.avx2 {
                self.layout.without_gfni
            } else {
                0
            });
            if manager.is_null() {
                return Err(Failure::failed("no memory for a manager"));
            }
            let owned = Owned { api, manager };
            if self.avx2 {
                (api.init_mb_mgr_avx2)(manager);
            } else {
                let mut arch: c_int = 0;
                (api.init_mb_mgr_auto)(manager, &mut arch);
            }
            match (api.imb_get_errno)(manager) {
                0 => Ok(owned),
                code => Err(Failure::failed(message(&api, code))),
            }
        }
    }
}

fn message(api: &Api, code: c_int) -> String {
    // SAFETY: the function returns a static string for every number.
    unsafe { text((api.imb_get_strerror)(code)) }.unwrap_or_default()
}

/// A thread's manager, which is freed when the thread ends.
struct Owned {
    api: Api,
    manager: *mut Manager,
}

impl Drop for Owned {
    fn drop(&mut self) {
        // SAFETY: alloc_mb_mgr returned the manager, which is freed once. The thread's objects
        // no longer exist at this point.
        unsafe { (self.api.free_mb_mgr)(self.manager) };
    }
}

/// The manager of the thread that made an object.
#[derive(Clone, Copy)]
pub(crate) struct Handle {
    api: Api,
    session: usize,
    manager: *mut Manager,
}

/// The call that processes one job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum How {
    /// `IMB_SUBMIT_JOB` and `IMB_FLUSH_JOB`, which accept every job.
    Queue,
    /// `IMB_SUBMIT_CIPHER_BURST`.
    CipherBurst,
    /// `IMB_SUBMIT_HASH_BURST`.
    HashBurst,
}

/// A job outside the queue, followed by room for the words that some versions add to a job.
#[repr(C, align(64))]
struct Alone {
    job: Job,
    session: [u64; SESSION],
}

/// The greatest number of words that follow a job, over all [`LAYOUTS`].
const SESSION: usize = 5;

/// The most jobs in one burst (`IMB_MAX_BURST_SIZE`).
pub(crate) const BURST: usize = 128;

impl Handle {
    /// Returns the manager's functions.
    pub(crate) fn get(&self) -> &Manager {
        // SAFETY: the thread's manager lives as long as the thread's objects, and its functions
        // do not change.
        unsafe { &*self.manager }
    }

    /// Processes one job by the call `how`.
    #[inline]
    pub(crate) fn one(&self, how: How, job: Job) -> Result<(), Failure> {
        match how {
            How::Queue => self.queue(job),
            How::CipherBurst | How::HashBurst => self.burst(how, job),
        }
    }

    /// Processes one job by the call for a burst of one algorithm, which does not use the
    /// queue.
    #[inline]
    fn burst(&self, how: How, job: Job) -> Result<(), Failure> {
        let (cipher, direction) = (job.cipher_mode, job.direction);
        let (key_bytes, hash) = (job.key_bytes as u32, job.hash);
        let mut alone = Alone {
            job,
            session: [0; SESSION],
        };
        let (manager, job) = (self.manager, &raw mut alone.job);
        // SAFETY: the job has as much room as a job of the library. Pointers in the job outlive
        // this call, and the call finishes the job.
        let done = unsafe {
            match how {
                How::HashBurst => (self.get().submit_hash_burst)(manager, job, 1, hash),
                _ => {
                    let submit = self.get().submit_cipher_burst;
                    submit(manager, job, 1, cipher, direction, key_bytes)
                }
            }
        };
        if done == 1 {
            // SAFETY: the library has just processed the job.
            return unsafe { self.status(job) };
        }
        // SAFETY: the manager is live.
        let code = unsafe { (self.api.imb_get_errno)(self.manager) };
        Err(Failure::unsupported(message(&self.api, code)))
    }

    /// Processes one job by the queue, which is empty before and after.
    #[inline]
    fn queue(&self, job: Job) -> Result<(), Failure> {
        let [get, submit, flush] = {
            let manager = self.get();
            [manager.get_next_job, manager.submit_job, manager.flush_job]
        };
        // SAFETY: the caller may write the next job until it is submitted. Pointers in the job
        // outlive this call, and the call finishes the job.
        unsafe {
            get(self.manager).write(job);
            let mut done = submit(self.manager);
            if done.is_null() {
                done = flush(self.manager);
            }
            self.status(done)
        }
    }

    /// Processes many jobs. `job` returns the job with the given number.
    #[inline]
    pub(crate) fn many(
        &self,
        jobs: usize,
        mut job: impl FnMut(usize) -> Job,
    ) -> Result<(), Failure> {
        let [get, submit, flush] = {
            let manager = self.get();
            [
                manager.get_next_burst,
                manager.submit_burst,
                manager.flush_burst,
            ]
        };
        let mut places = [ptr::null_mut(); BURST];
        let mut next = 0;
        while next < jobs {
            let count = (jobs - next).min(BURST) as u32;
            // SAFETY: pointers in the jobs outlive this call. There are `count` places, and
            // every job of a burst is finished before the next burst. The layout says how many
            // words of a session follow each job.
            unsafe {
                if get(self.manager, count, places.as_mut_ptr()) != count {
                    return Err(Failure::failed("the queue is not empty"));
                }
                for place in &places[..count as usize] {
                    place.write(job(next));
                    next += 1;
                }
                if let (Some(set_session), 1..) = (self.api.imb_set_session, self.session) {
                    set_session(self.manager, places[0]);
                    let session = |job: *mut Job| job.add(1).cast::<u64>();
                    for place in &places[1..count as usize] {
                        session(*place).copy_from(session(places[0]), self.session);
                    }
                }
                let mut done = submit(self.manager, count, places.as_mut_ptr());
                let code = (self.api.imb_get_errno)(self.manager);
                if code != 0 {
                    return Err(Failure::unsupported(message(&self.api, code)));
                }
                self.statuses(&places[..done as usize])?;
                while done < count {
                    let more = flush(self.manager, count - done, places.as_mut_ptr());
                    if more == 0 {
                        return Err(Failure::failed("jobs are lost"));
                    }
                    self.statuses(&places[..more as usize])?;
                    done += more;
                }
            }
        }
        Ok(())
    }

    fn statuses(&self, jobs: &[*mut Job]) -> Result<(), Failure> {
        // SAFETY: the library has just returned these jobs.
        jobs.iter().try_for_each(|job| unsafe { self.status(*job) })
    }

    /// # Safety
    ///
    /// `job` is NULL, or a job that the library has just returned.
    #[inline]
    unsafe fn status(&self, job: *mut Job) -> Result<(), Failure> {
        const COMPLETED: u32 = 3;
        const INVALID_ARGUMENTS: u32 = 4;
        // SAFETY: the caller guarantees that the job is NULL or returned by the library.
        match unsafe { job.as_ref() }.map(|job| job.status) {
            Some(COMPLETED) => Ok(()),
            Some(INVALID_ARGUMENTS) => {
                // SAFETY: the manager is live.
                let code = unsafe { (self.api.imb_get_errno)(self.manager) };
                Err(Failure::unsupported(message(&self.api, code)))
            }
            Some(status) => Err(Failure::failed(format_args!("job status {status}"))),
            None => Err(Failure::failed("the job is lost")),
        }
    }
}
